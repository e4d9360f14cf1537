import { badRequest, core, type Exchange, get, notFound, query, status } from "./exchange.ts";

const accept = { accept: "text/plain, application/json" };
const isText = { status: 200, contentType: "text/plain" } as const;
const negative = "Invalid value: -1: must be greater than or equal to 0";

/** Requests for logs, of the webhook's pod and of pods without any. Why a container has none is said by the kubelet. */
export function logs(webhookPod: string): readonly Exchange[] {
  const ofWebhook = `/api/v1/namespaces/cert-manager/pods/${webhookPod}/log`;
  const ofTwo = core("pods/two/log");
  const ofUnscheduled = core("pods/unscheduled/log");
  const noEarlierRun = (container: string, pod: string) => badRequest(`previous terminated container "${container}" in pod "${pod}" not found`);
  return [
    get(ofWebhook, isText, accept),
    get(ofWebhook, isText),
    get(query(ofWebhook, { container: "cert-manager-webhook", tailLines: "3" }), isText, accept),
    get(query(ofWebhook, { container: "", tailLines: "3", previous: "false" }), isText, accept),
    get(query(ofWebhook, { tailLines: "0" }), { ...isText, text: "" }, accept),
    get(query(ofWebhook, { container: "none" }), badRequest(`container none is not valid for pod ${webhookPod}`), accept),
    get(query(ofWebhook, { previous: "true" }), noEarlierRun("cert-manager-webhook", webhookPod), accept),
    get(query(ofWebhook, { tailLines: "x" }), badRequest('strconv.ParseInt: parsing "x": invalid syntax'), accept),
    get(
      query(ofWebhook, { tailLines: "-1" }),
      status(422, "Invalid", `PodLogOptions "${webhookPod}" is invalid: tailLines: ${negative}`, {
        name: webhookPod,
        kind: "PodLogOptions",
        causes: [{ reason: "FieldValueInvalid", message: negative, field: "tailLines" }],
      }),
      accept,
    ),
    get(ofTwo, badRequest("a container name must be specified for pod two, choose one of: [main side]"), accept),
    get(query(ofTwo, { container: "main", previous: "true" }), noEarlierRun("main", "two"), accept),
    get(core("pods/none/log"), notFound("pods", "none"), accept),
    get(ofUnscheduled, { status: 204, contentType: "", text: "" }, accept),
    get(query(ofUnscheduled, { container: "none" }), badRequest("container none is not valid for pod unscheduled"), accept),
  ];
}
