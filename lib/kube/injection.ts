import type { ApiService, KubeObject, WebhookConfiguration } from "../model/kubernetes.ts";
import { certificatesIn } from "./certificate.ts";

/** The annotation that allows cainjector to copy a CA straight out of a Secret. */
export const allowsInjection = "cert-manager.io/allow-direct-injection";
/** The annotation by which the controller marks the Secret of a Certificate. */
export const certificateName = "cert-manager.io/certificate-name";

const requests = { certificate: "cert-manager.io/inject-ca-from", secret: "cert-manager.io/inject-ca-from-secret" } as const;

/** What an object asks of cainjector. */
export interface InjectionRequest {
  readonly from: keyof typeof requests;
  readonly annotation: string;
  readonly value: string;
  /** Where the CA is to come from; absent where the annotation doesn't say `namespace/name`. */
  readonly source?: { readonly namespace: string; readonly name: string };
}

/** The CA that the object wants filled in, from a Certificate first, as cainjector decides. */
export function injectionRequest({ metadata: { annotations = {} } }: KubeObject): InjectionRequest | undefined {
  for (const from of ["certificate", "secret"] as const) {
    const annotation = requests[from];
    const value = annotations[annotation];
    if (value === undefined) continue;
    const [namespace, name] = value.includes("/") ? value.split("/", 2) : [];
    return { from, annotation, value, ...(namespace && name ? { source: { namespace, name } } : {}) };
  }
  return undefined;
}

/** Whether a registration or APIService has no CA where one was to be filled in. Placeholders aren't one. */
export function lacksCa(object: WebhookConfiguration | ApiService): boolean {
  const bundles = "webhooks" in object ? (object.webhooks ?? []).map(({ clientConfig }) => clientConfig.caBundle) : [(object as ApiService).spec?.caBundle];
  return bundles.some((bundle) => !certificatesIn(bundle)?.length);
}
