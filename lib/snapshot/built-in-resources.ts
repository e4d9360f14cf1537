import { optionalResources, type Resource, resources } from "../kube/resources.ts";

const core = (plural: string, kind: string, namespaced = true): Resource => ({ group: "", version: "v1", plural, kind, namespaced });
const named = (group: string, plural: string, kind: string, namespaced = true, version = "v1"): Resource => ({
  group,
  version,
  plural,
  kind,
  namespaced,
});

const certManagerGroups: readonly string[] = ["cert-manager.io", "acme.cert-manager.io"];

/** Whether a group is served only where cert-manager's CRDs are. */
export function isCertManagerGroup(group: string): boolean {
  return certManagerGroups.includes(group);
}

/** What every API server serves without a CRD. */
export const builtInResources: readonly Resource[] = [
  ...Object.values(resources).filter((resource) => !isCertManagerGroup(resource.group) && !optionalResources.some(({ group }) => group === resource.group)),
  core("serviceaccounts", "ServiceAccount"),
  core("configmaps", "ConfigMap"),
  core("endpoints", "Endpoints"),
  core("persistentvolumes", "PersistentVolume", false),
  core("persistentvolumeclaims", "PersistentVolumeClaim"),
  core("replicationcontrollers", "ReplicationController"),
  core("resourcequotas", "ResourceQuota"),
  core("limitranges", "LimitRange"),
  core("podtemplates", "PodTemplate"),
  named("apps", "replicasets", "ReplicaSet"),
  named("apps", "statefulsets", "StatefulSet"),
  named("apps", "controllerrevisions", "ControllerRevision"),
  named("batch", "cronjobs", "CronJob"),
  named("autoscaling", "horizontalpodautoscalers", "HorizontalPodAutoscaler", true, "v2"),
  named("networking.k8s.io", "ingresses", "Ingress"),
  named("networking.k8s.io", "ingressclasses", "IngressClass", false),
  named("policy", "poddisruptionbudgets", "PodDisruptionBudget"),
  named("admissionregistration.k8s.io", "validatingadmissionpolicies", "ValidatingAdmissionPolicy", false),
  named("admissionregistration.k8s.io", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", false),
  named("certificates.k8s.io", "certificatesigningrequests", "CertificateSigningRequest", false),
  named("scheduling.k8s.io", "priorityclasses", "PriorityClass", false),
  named("storage.k8s.io", "storageclasses", "StorageClass", false),
  named("storage.k8s.io", "volumeattachments", "VolumeAttachment", false),
  named("storage.k8s.io", "csidrivers", "CSIDriver", false),
  named("storage.k8s.io", "csinodes", "CSINode", false),
];
