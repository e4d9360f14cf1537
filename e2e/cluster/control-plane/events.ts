import type { Api } from "./api.ts";
import { nodeName } from "./layout.ts";
import type { Pod } from "./pod.ts";

/** Tells events about pods as a kubelet does: one that repeats is counted. */
export class Events {
  private readonly api: Api;
  private readonly told = new Map<string, { readonly name: string; count: number }>();
  private next = 1;

  constructor(api: Api) {
    this.api = api;
  }

  reset(): void {
    this.told.clear();
  }

  async tell(type: "Normal" | "Warning", reason: string, message: string, pod: Pod, container?: string): Promise<void> {
    const { name: podName, namespace, uid } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/events`;
    const key = [uid, container, type, reason, message].join("\n");
    const lastTimestamp = new Date().toISOString().replace(/\.\d+/, "");
    const before = this.told.get(key);
    if (before) {
      before.count += 1;
      await this.api.call("PATCH", `${path}/${before.name}`, { count: before.count, lastTimestamp }, "application/merge-patch+json").catch(() => {
        // It has expired, or went with its namespace.
        this.told.delete(key);
      });
      return;
    }
    const name = `${podName}.${(this.next++).toString(16).padStart(16, "0")}`;
    this.told.set(key, { name, count: 1 });
    await this.api
      .call("POST", path, {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name, namespace },
        involvedObject: {
          apiVersion: "v1",
          kind: "Pod",
          namespace,
          name: podName,
          uid,
          ...(container ? { fieldPath: `spec.containers{${container}}` } : {}),
        },
        type,
        reason,
        message,
        count: 1,
        firstTimestamp: lastTimestamp,
        lastTimestamp,
        source: { component: "kubelet", host: nodeName },
        reportingComponent: "kubelet",
        reportingInstance: nodeName,
      })
      .catch(() => {
        // Its namespace goes.
        this.told.delete(key);
      });
  }
}
