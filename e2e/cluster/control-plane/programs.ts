import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { admissionConfig } from "./admission.ts";
import { Api } from "./api.ts";
import type { Place } from "./commands.ts";
import type { Etcd } from "./etcd.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { kwokConfig, node } from "./kwok.ts";
import { addresses, apiServerUrl, users } from "./layout.ts";
import { Process } from "./process.ts";
import { until } from "./wait.ts";

/** The programs of the control plane itself and what each is started with, in one folder with their files and logs. */
export class Programs {
  /** The certificate that the API server made for itself, with the CA that signed it. */
  readonly caFile: string;
  private readonly place: Place;
  private readonly processes: Process[] = [];
  private readonly signingKey: string;
  private controllers: Process | undefined;

  constructor(place: Place) {
    this.place = place;
    this.caFile = join(place.folder, "apiserver.crt");
    this.signingKey = join(place.folder, "service-account.key");
  }

  /** Starts etcd, the API server, controllers and scheduler; resolves when the API server works as in a new cluster. */
  async startControlPlane(etcd: Etcd): Promise<Api> {
    this.startEtcd();
    await until("etcd", () => etcd.save().then(() => true));
    this.startApiServer();
    const api = await until("the API server", async () => {
      const opened = new Api(this.caFile);
      await opened.call("GET", "/readyz");
      return opened;
    });
    this.startControllers();
    this.launch("kube-scheduler", [...this.kubeconfigFlags("scheduler"), "--leader-elect=false", "--bind-address=127.0.0.1"]);
    await until("the default service account", () => api.call("GET", "/api/v1/namespaces/default/serviceaccounts/default"));
    return api;
  }

  /** Starts KWOK; resolves when its node is ready. */
  async startNode(api: Api): Promise<void> {
    await api.call("POST", "/api/v1/nodes", node);
    this.launch("kwok", ["--kubeconfig", this.kubeconfigOf("admin"), "--config", this.file("kwok.yaml", kwokConfig()), "--manage-all-nodes"]);
    await until("the node to be ready", async () => {
      const { status } = await api.call<{ status?: { conditions?: { type: string; status: string }[] } }>("GET", `/api/v1/nodes/${node.metadata.name}`);
      return status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True");
    });
  }

  startControllers(): void {
    this.controllers = this.launch("kube-controller-manager", [
      ...this.kubeconfigFlags("controllers"),
      "--leader-elect=false",
      "--bind-address=127.0.0.1",
      `--service-account-private-key-file=${this.signingKey}`,
      "--use-service-account-credentials=true",
    ]);
  }

  async stopControllers(): Promise<void> {
    await this.controllers?.stop("SIGKILL");
  }

  /** A certificate for the kubelet's port. */
  servingCertificate(): { readonly certificate: string; readonly key: string } {
    const args = ["--name", `system:node:${node.metadata.name}`, "--hosts", `${node.metadata.name},${addresses.node}`];
    return JSON.parse(execFileSync(join(this.place.binaries, "certificate"), args, { encoding: "utf8" })) as { certificate: string; key: string };
  }

  /** What each program wrote last, for messages. */
  tails(): string {
    return this.processes.map((one) => `--- ${one.name}${one.running ? "" : " (ended)"}\n${one.tail()}`).join("\n");
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.stop("SIGKILL")));
  }

  private startEtcd(): void {
    const { host, port } = addresses.etcd;
    const client = `http://${host}:${port}`;
    const peer = `http://${host}:${port + 1}`;
    this.launch("etcd", [
      `--data-dir=${join(this.place.folder, "etcd")}`,
      "--unsafe-no-fsync",
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      "--log-level=warn",
      // A restore is one transaction.
      "--max-txn-ops=100000",
      `--max-request-bytes=${256 * 1024 * 1024}`,
    ]);
  }

  private startApiServer(): void {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    writeFileSync(this.signingKey, privateKey);
    const tokens = Object.entries(users).map(([uid, { token, name, groups }]) => `${token},${name},${uid}${groups ? `,"${groups}"` : ""}`);
    this.launch("kube-apiserver", [
      `--etcd-servers=http://${addresses.etcd.host}:${addresses.etcd.port}`,
      `--service-cluster-ip-range=${addresses.services}`,
      `--bind-address=${addresses.apiServer.host}`,
      `--advertise-address=${addresses.node}`,
      `--secure-port=${addresses.apiServer.port}`,
      `--cert-dir=${this.place.folder}`,
      `--token-auth-file=${this.file("tokens.csv", `${tokens.join("\n")}\n`)}`,
      "--authorization-mode=Node,RBAC",
      `--service-account-key-file=${this.file("service-account.pub", publicKey)}`,
      `--service-account-signing-key-file=${this.signingKey}`,
      "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
      `--admission-control-config-file=${this.file("admission.yaml", admissionConfig)}`,
      "--allow-privileged=true",
      "--endpoint-reconciler-type=none",
      "--kubelet-preferred-address-types=InternalIP",
    ]);
  }

  private launch(name: string, args: readonly string[]): Process {
    const { binaries, folder, programs } = this.place;
    const launched = new Process(name, programs[name] ?? join(binaries, name), args, { logFile: join(folder, "logs", `${name}.log`) });
    this.processes.push(launched);
    return launched;
  }

  private kubeconfigFlags(user: keyof typeof users): readonly string[] {
    const path = this.kubeconfigOf(user);
    return ["--kubeconfig", "--authentication-kubeconfig", "--authorization-kubeconfig"].map((flag) => `${flag}=${path}`);
  }

  private kubeconfigOf(user: keyof typeof users): string {
    return this.file(`${user}.kubeconfig`, kubeconfig(apiServerUrl, readFileSync(this.caFile, "utf8"), users[user].token));
  }

  private file(name: string, content: string): string {
    const path = join(this.place.folder, name);
    writeFileSync(path, content);
    return path;
  }
}
