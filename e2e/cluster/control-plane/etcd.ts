import { Agent, request } from "undici";
import { addresses } from "./layout.ts";

/** Everything that the API server has stored, by etcd key; values in base64. */
export type StoredState = ReadonlyMap<string, string>;

/** What belongs to running processes, not to the cluster's state: putting it back would wake the dead. */
const ofProcesses = [
  /^\/registry\/masterleases\//,
  /^\/registry\/leases\//,
  /^\/registry\/events\//,
  /^\/registry\/endpointslices\//,
  /^\/registry\/apiregistration\.k8s\.io\//,
  /^\/registry\/health$/,
  /^\/registry\/configmaps\/kube-system\/(extension-apiserver-authentication|kube-apiserver-legacy-service-account-token-tracking)$/,
];

interface Pair {
  readonly key: string;
  readonly value: string;
}

/** The store below the API server: the whole cluster state can be read, and put back in one transaction that every watch sees. */
export class Etcd {
  private readonly agent = new Agent();

  async save(): Promise<StoredState> {
    const { kvs = [] } = await this.call<{ kvs?: Pair[] }>("range", { key: encode("/registry/"), range_end: encode("/registry0") });
    return new Map(kvs.map(({ key, value }) => [decode(key), value]));
  }

  /** Makes the cluster state what it was: what came since is gone, what changed or went is back. */
  async restore(wanted: StoredState): Promise<void> {
    const now = await this.save();
    const gone = [...now.keys()].filter((key) => isMadeAnew(key) || (!wanted.has(key) && !isOfProcesses(key)));
    const changed = [...wanted].filter(([key, value]) => now.get(key) !== value && !isOfProcesses(key));
    const operations = [
      ...gone.map((key) => ({ request_delete_range: { key: encode(key) } })),
      ...changed.map(([key, value]) => ({ request_put: { key: encode(key), value } })),
    ];
    if (operations.length > 0) await this.call("txn", { success: operations });
  }

  /** Writes objects as the API server stores custom resources: JSON. */
  async put(objects: readonly { readonly key: string; readonly object: object }[]): Promise<void> {
    for (let start = 0; start < objects.length; start += 1_000) {
      const success = objects
        .slice(start, start + 1_000)
        .map(({ key, object }) => ({ request_put: { key: encode(key), value: encode(JSON.stringify(object)) } }));
      await this.call("txn", { success });
    }
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  private async call<T>(method: string, body: object): Promise<T> {
    const answer = await request(`http://${addresses.etcd.host}:${addresses.etcd.port}/v3/kv/${method}`, {
      method: "POST",
      dispatcher: this.agent,
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`etcd ${method}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }
}

function isOfProcesses(key: string): boolean {
  return ofProcesses.some((pattern) => pattern.test(key));
}

/**
 * What goes in any case: events; leases of cert-manager's components, whose holders were killed and gave up nothing; EndpointSlices, whose
 * controller makes them again, but waits for ever where one comes back in an older generation than it wrote.
 */
function isMadeAnew(key: string): boolean {
  return /^\/registry\/(events|endpointslices)\/|^\/registry\/leases\/.*\/cert-manager-/.test(key);
}

const encode = (text: string): string => Buffer.from(text).toString("base64");
const decode = (text: string): string => Buffer.from(text, "base64").toString();
