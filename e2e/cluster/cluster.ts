import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkup } from "../../lib/checkup.ts";
import type { Windows } from "../../lib/model/check.ts";
import type { Report } from "../../lib/model/report.ts";
import { type Checkup, reportOf } from "../../lib/report/report.ts";
import { openLiveTarget } from "../../lib/target.ts";
import { openApi } from "./api-client.ts";
import type { Binaries } from "./binaries.ts";
import type { Component } from "./control-plane/commands.ts";
import { type ControlPlane, startControlPlane } from "./control-plane/control-plane.ts";
import { kubeconfig } from "./control-plane/kubeconfig.ts";
import type { Misbehaviour } from "./control-plane/service-proxy.ts";
import { until } from "./control-plane/wait.ts";
import { chartVersion, type Ran, runShell, toolEnvironment } from "./tools.ts";

/** Nothing is young and no lease is waited for: a test sees at once what an hour would show. */
export const noWindows: Windows = { settling: 0, lease: 0 };

/** The state that scenarios start from: an empty cluster, or a healthy cert-manager installed by Helm. */
export type Base = "empty" | "healthy";

/** Who looks: the account that has just the generated role, or an administrator with a kubeconfig. */
export type Identity = "least-privilege" | "admin";

/** The chart with the version that is installed here. */
export const chart = `oci://quay.io/jetstack/charts/cert-manager --version ${chartVersion}`;
/** A first install as the documentation has it, and an upgrade of it; values and flags go after them. */
export const install = `helm install cert-manager ${chart} --namespace cert-manager --create-namespace --set crds.enabled=true`;
export const upgrade = `helm upgrade cert-manager ${chart} --namespace cert-manager --reuse-values`;
export const healthyInstall = `${install} --wait --timeout 2m`;

/** The same by somebody who waits for nothing, not even for cert-manager's own check of its API. */
export const firstInstall = `${install} --set startupapicheck.enabled=false`;

/** The smallest object that goes through the webhook. */
const issuer = { apiVersion: "cert-manager.io/v1", kind: "Issuer", metadata: { name: "self-signed", namespace: "default" }, spec: { selfSigned: {} } };

/** An error text that a tool printed, and the check that explains it; null where it is about somebody else's webhook. */
export interface Said {
  readonly text: string;
  readonly check: string | null;
}

/** A running control plane as a person at a terminal has it, and the product looking at it. */
export class TestCluster {
  readonly plane: ControlPlane;
  /** Error texts that were seen on the way, for `explain`. */
  said: Said[] = [];
  private readonly binaries: Binaries;
  /** The kubeconfig of the account that has just the generated role. */
  readonly accountKubeconfig: string;

  private constructor(plane: ControlPlane, binaries: Binaries) {
    this.plane = plane;
    this.binaries = binaries;
    this.accountKubeconfig = join(plane.folder, "least-privilege.kubeconfig");
  }

  /** A fresh one, with the account of least privilege; nothing is installed. */
  static async start(binaries: Binaries): Promise<TestCluster> {
    const cluster = new TestCluster(await startControlPlane(binaries), binaries);
    try {
      await cluster.giveAccount();
      await cluster.plane.save("empty");
    } catch (error) {
      await cluster.plane.stop();
      throw error;
    }
    return cluster;
  }

  /** Installs cert-manager with Helm and remembers the state as the one to start from. */
  async prepareHealthy(): Promise<void> {
    await this.run(healthyInstall);
    await this.untilAnswering();
    await this.plane.save("healthy");
  }

  /** Puts the cluster back to a state that was prepared, and waits until a healthy install answers again. */
  async reset(base: Base): Promise<void> {
    this.said = [];
    await this.plane.restore(base);
    if (base === "healthy") await this.untilAnswering();
  }

  /** Runs a command as a person would paste it; rejects with what it printed where it fails. `helm` is the major version. */
  async run(command: string, options: { helm?: 3 | 4; input?: string } = {}): Promise<string> {
    const ran = await this.try(command, options);
    if (ran.code !== 0) throw new Error(`${command}\nended with ${ran.code}:\n${ran.stdout}${ran.stderr}`);
    return ran.stdout;
  }

  /** Runs a command that may fail. */
  try(command: string, options: { helm?: 3 | 4; input?: string } = {}): Promise<Ran> {
    return runShell(command, toolEnvironment(this.binaries, this.plane, options.helm), options.input);
  }

  /** Runs a command that must fail, and keeps what it said for `explain` to map to `check`. */
  async fails(command: string, check: Said["check"], options: { helm?: 3 | 4; input?: string } = {}): Promise<string> {
    const ran = await this.try(command, options);
    if (ran.code === 0) throw new Error(`${command}\nwas expected to fail, but went through:\n${ran.stdout}`);
    this.said.push({ text: ran.stderr.trim(), check });
    return ran.stderr;
  }

  /** Creates an Issuer, as a person would, and keeps the refusal. */
  failsToCreateIssuer(check: string): Promise<string> {
    return this.fails("kubectl create -f -", check, { input: JSON.stringify(issuer) });
  }

  /** Applies objects as `kubectl apply -f -` does. */
  async apply(...objects: readonly object[]): Promise<void> {
    await this.run("kubectl apply -f -", { input: JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }) });
  }

  /** `kubectl get … -o json`. */
  async get<T>(what: string): Promise<T> {
    return JSON.parse(await this.run(`kubectl get ${what} -o json`)) as T;
  }

  /** `helm uninstall`, a minute ago. */
  async uninstall(options: { helm?: 3 | 4; flags?: string } = {}): Promise<void> {
    await this.run(`helm uninstall cert-manager --namespace cert-manager --wait ${options.flags ?? ""}`, options);
    await this.endLeases();
  }

  /** Components whose account or roles went before them couldn't give up their leases: ends them, as a minute would. */
  async endLeases(): Promise<void> {
    await this.run("kubectl -n kube-system delete lease cert-manager-controller cert-manager-cainjector-leader-election --ignore-not-found");
  }

  /** Ends a component's process; its pod stays listed as it was. */
  stop(component: Component): Promise<void> {
    return this.plane.lose(component, "SIGTERM");
  }

  /** Ends it without a chance to give up its lease. */
  kill(component: Component): Promise<void> {
    return this.plane.lose(component, "SIGKILL");
  }

  resume(component: Component): Promise<void> {
    return this.plane.resume(component);
  }

  /** What stands behind a Service's address (`namespace/name`) instead of its endpoints; null ends it. */
  behind(service: string, how: Misbehaviour | null): Promise<void> {
    return this.plane.misbehave(service, how);
  }

  /** The nodes can't resolve this registry any more, as in a network without internet access. */
  hide(registry: string): Promise<void> {
    return this.plane.hide(registry);
  }

  /** Waits until every component runs as its Deployment has it now: old pods that still serve don't count. */
  async rolledOut(): Promise<void> {
    await this.run("kubectl -n cert-manager rollout status deployment -l app.kubernetes.io/instance=cert-manager --timeout=30s");
  }

  /** Waits for something to become so. */
  until<T>(what: string, ask: () => Promise<T | undefined | false>, timeoutMs?: number): Promise<T> {
    return until(what, ask, timeoutMs);
  }

  /** Makes a certificate with the test bed's own tool (testbed/cmd/certificate). */
  async certificate(...args: readonly string[]): Promise<{ certificate: string; key: string }> {
    return JSON.parse(await this.run(`"$TESTBED_BINARIES/certificate" ${args.map((arg) => `'${arg}'`).join(" ")}`)) as { certificate: string; key: string };
  }

  /** A checkup by the way that production takes. */
  async checkup(
    options: { as?: Identity; windows?: Windows; reportedErrors?: readonly string[]; onProgress?: (soFar: Checkup) => void } = {},
  ): Promise<Checkup> {
    const identity = options.as ?? "least-privilege";
    const target = await openLiveTarget({ path: identity === "admin" ? this.plane.kubeconfig : this.accountKubeconfig });
    try {
      const input = { ...target.input, reportedErrors: options.reportedErrors ?? [], windows: options.windows ?? noWindows };
      return await checkup(target.cluster, input, options.onProgress);
    } finally {
      await target.close();
    }
  }

  async report(options: Parameters<TestCluster["checkup"]>[0] = {}): Promise<Report> {
    return reportOf(await this.checkup(options), "en");
  }

  close(): Promise<void> {
    return this.plane.stop();
  }

  /** Until the API server's dry-run create passes through the webhook, as cert-manager's own check asks. */
  /** Until the API server, which learns of a changed Service a moment later, refuses an Issuer. */
  untilRefusing(): Promise<void> {
    return this.untilIssuer("refused", (status) => status !== 201);
  }

  private untilAnswering(): Promise<void> {
    return this.untilIssuer("let in", (status) => status === 201);
  }

  private async untilIssuer(what: string, isSo: (status: number) => boolean): Promise<void> {
    const api = await openApi(this.plane.kubeconfig);
    const path = `/apis/cert-manager.io/v1/namespaces/${issuer.metadata.namespace}/issuers?dryRun=All`;
    try {
      await until(`an Issuer to be ${what}`, async () => isSo((await api.ask({ method: "POST", path, body: issuer })).status));
    } finally {
      await api.close();
    }
  }

  private async giveAccount(): Promise<void> {
    await this.run("kubectl create namespace certmedic && kubectl -n certmedic create serviceaccount certmedic");
    await this.run(`kubectl apply -f '${join(import.meta.dirname, "../../deploy/role.gen.yaml")}'`);
    for (const role of ["certmedic-read", "certmedic-probe"]) {
      await this.run(`kubectl create clusterrolebinding ${role} --clusterrole=${role} --serviceaccount=certmedic:certmedic`);
    }
    const token = (await this.run("kubectl -n certmedic create token certmedic --duration=24h")).trim();
    writeFileSync(this.accountKubeconfig, kubeconfig(this.plane.server, this.plane.ca, token));
  }
}
