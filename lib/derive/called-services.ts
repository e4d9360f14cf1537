import { type Install, webhookServiceOf } from "../kube/install.ts";
import type { Evidence } from "../model/check.ts";
import type { Lookup, WebhookRegistration } from "../model/facts.ts";
import type { Service, WebhookConfiguration } from "../model/kubernetes.ts";
import type { ObjectRef } from "../model/object-ref.ts";

/** A Service that the API server calls for cert-manager's webhooks, and the registration entries that name it. */
export interface CalledService {
  readonly ref: ObjectRef & { readonly namespace: string };
  readonly service: Service | null;
  readonly callers: readonly { readonly configuration: WebhookConfiguration; readonly index: number }[];
}

/** The Services that registrations name, each once. Entries with a URL instead name none. */
export function calledServices({
  webhooks,
  webhookServices,
}: {
  readonly webhooks: readonly WebhookRegistration[];
  readonly webhookServices: readonly Lookup<Service>[];
}): readonly CalledService[] {
  return webhookServices.flatMap(({ ref, object }) => {
    const callers = webhooks.flatMap(({ configuration }) =>
      (configuration.webhooks ?? []).flatMap(({ clientConfig: { service } }, index) =>
        service?.namespace === ref.namespace && service?.name === ref.name ? [{ configuration, index }] : [],
      ),
    );
    return callers.length > 0 ? [{ ref: { ...ref, namespace: ref.namespace ?? "" }, service: object, callers }] : [];
  });
}

/** The entries that name the Service, as evidence. */
export function callerEvidence({ ref, callers }: CalledService): readonly Evidence[] {
  return callers.map(({ configuration, index }) => ({
    object: registrationRef(configuration),
    path: `webhooks[${index}].clientConfig.service`,
    value: `${ref.namespace}/${ref.name}`,
  }));
}

/** A registration as an object to look at. */
export function registrationRef({ kind, metadata }: WebhookConfiguration): ObjectRef {
  return { kind, name: metadata.name };
}

/**
 * The install that a registration belongs to: the one in the namespace that it calls. A registration that calls elsewhere still
 * belongs to the install whose webhook has its name, unless that install is called by another registration of the same kind.
 */
export function installBehind(
  configuration: WebhookConfiguration,
  facts: { readonly webhooks: readonly WebhookRegistration[]; readonly installs: readonly Install[] },
): Install | undefined {
  const namespaces = namespacesCalled(configuration);
  const direct = facts.installs.find((install) => namespaces.includes(install.namespace));
  if (direct) return direct;
  return facts.installs.find(
    (install) =>
      install.components.webhook?.metadata.name === configuration.metadata.name &&
      !facts.webhooks.some(
        ({ configuration: other }) => other.kind === configuration.kind && !isSame(other, configuration) && namespacesCalled(other).includes(install.namespace),
      ),
  );
}

/** Whether another registration of the same kind calls the install's own Service: then this one, which calls another, is a leftover. */
export function isSupplanted(configuration: WebhookConfiguration, install: Install, webhooks: readonly WebhookRegistration[]): boolean {
  const own = webhookServiceOf(install);
  const callsOwn = (one: WebhookConfiguration) =>
    one.webhooks?.some(({ clientConfig: { service } }) => service?.namespace === own?.namespace && service?.name === own?.name) ?? false;
  return (
    own !== undefined &&
    !callsOwn(configuration) &&
    webhooks.some(({ configuration: other }) => other.kind === configuration.kind && !isSame(other, configuration) && callsOwn(other))
  );
}

/** The install that a registration works for; undefined for what an earlier one left behind. */
export function installServed(
  configuration: WebhookConfiguration,
  facts: { readonly webhooks: readonly WebhookRegistration[]; readonly installs: readonly Install[] },
): Install | undefined {
  const install = installBehind(configuration, facts);
  return install && isSupplanted(configuration, install, facts.webhooks) ? undefined : install;
}

function namespacesCalled(configuration: WebhookConfiguration): readonly string[] {
  return (configuration.webhooks ?? []).flatMap(({ clientConfig: { service } }) => service?.namespace ?? []);
}

function isSame(a: WebhookConfiguration, b: WebhookConfiguration): boolean {
  return a.kind === b.kind && a.metadata.name === b.metadata.name;
}
