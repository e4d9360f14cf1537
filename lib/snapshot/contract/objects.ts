import { signingRequest } from "../../kube/signing-request.ts";
import type { SnapshotObject } from "../snapshot.ts";
import { namespace } from "./exchange.ts";

/** For an issuer of a kind that no controller serves, so that nobody touches it. */
export const certificateRequest = (metadata: { name?: string; generateName?: string; namespace?: string }, spec: object = {}) => ({
  apiVersion: "cert-manager.io/v1",
  kind: "CertificateRequest",
  metadata,
  spec: { request: Buffer.from(signingRequest).toString("base64"), issuerRef: { group: "contract.example", kind: "Any", name: "first" }, ...spec },
});

const issuer = (name: string, labels: Record<string, string>): SnapshotObject => ({
  apiVersion: "cert-manager.io/v1",
  kind: "Issuer",
  metadata: { name, namespace, labels },
  spec: { selfSigned: {} },
});

const container = (name: string) => ({ name, image: `contract.example/${name}:1` });

/** What the requests are about, beside a healthy cert-manager. A real cluster makes the status itself. */
export const contractObjects: readonly SnapshotObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  issuer("a", { app: "web", tier: "front", size: "1" }),
  issuer("b", { app: "web", size: "10" }),
  issuer("c", { app: "db" }),
  issuer("d", {}),
  certificateRequest({ name: "one", namespace }) as SnapshotObject,
  { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace }, type: "contract.example/plain" },
  {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "e", namespace },
    type: "Warning",
    reason: "Contract",
    message: "seen",
    source: { component: "contract" },
    involvedObject: { kind: "Pod", namespace, name: "two" },
  },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "two", namespace },
    spec: { nodeName: "node-1", containers: [container("main"), container("side")] },
    status: { phase: "Running", containerStatuses: [{ name: "main", state: { running: {} } }] },
  },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "unscheduled", namespace },
    spec: { nodeSelector: { no: "such" }, containers: [container("main")] },
    status: { phase: "Pending" },
  },
];
