import type { CloudNode } from "./cloud-node.ts";

type AwsNode = Extract<CloudNode, { cloud: "aws" }>;

/** `aws` command that lists what the security groups of an EKS node let in; of Fargate's pods, those of the clusters. */
export function listIngress({ region, instance }: AwsNode): string {
  const columns = "{Group:GroupId,Protocol:IpProtocol,From:FromPort,To:ToPort,Source:ReferencedGroupInfo.GroupId,Range:CidrIpv4}";
  const filter = instance
    ? `Name=group-id,Values=$(${describe(region, instance, "Reservations[].Instances[].SecurityGroups[].GroupId")} | tr '\\t' ,)`
    : `Name=group-id,Values=$(aws ec2 describe-security-groups --region ${region} --filters 'Name=group-name,Values=eks-cluster-sg-*' --query 'SecurityGroups[].GroupId' --output text | tr '\\t' ,)`;
  return `aws ec2 describe-security-group-rules --region ${region} --filters "${filter}" --query 'SecurityGroupRules[?!IsEgress].${columns}' --output table`;
}

/** `aws` commands that let the cluster's control plane reach a port of the node's security group; undefined without an instance. */
export function openIngress({ region, instance, cluster }: AwsNode, port: number): string | undefined {
  if (!instance) return undefined;
  return [
    cluster ? `CLUSTER=${cluster}` : `CLUSTER=$(${describe(region, instance, "Reservations[0].Instances[0].Tags[?Key==`aws:eks:cluster-name`].Value | [0]")})`,
    `CONTROL_PLANE=$(aws eks describe-cluster --region ${region} --name "$CLUSTER" --query cluster.resourcesVpcConfig.clusterSecurityGroupId --output text)`,
    `NODE=$(${describe(region, instance, "Reservations[0].Instances[0].SecurityGroups[0].GroupId")})`,
    `aws ec2 authorize-security-group-ingress --region ${region} --group-id "$NODE" --protocol tcp --port ${port} --source-group "$CONTROL_PLANE"`,
  ].join("\n");
}

function describe(region: string, instance: string, query: string): string {
  return `aws ec2 describe-instances --region ${region} --instance-ids ${instance} --query '${query}' --output text`;
}
