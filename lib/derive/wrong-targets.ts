import { garblingOf } from "../kube/garbled-name.ts";
import { type Install, webhookServiceOf } from "../kube/install.ts";
import { isSelected } from "../kube/label-selector.ts";
import type { Lookup, WebhookRegistration } from "../model/facts.ts";
import type { Deployment, Service, WebhookConfiguration } from "../model/kubernetes.ts";
import type { ObjectRef } from "../model/object-ref.ts";
import { calledServices, installServed } from "./called-services.ts";
import { installs } from "./installs.ts";

/**
 * A registration entry that calls another Service than the one in front of its install's webhook: in a namespace without a
 * cert-manager (`elsewhere`), one that doesn't exist (`unknown`) or one of other pods (`other-pods`).
 */
export interface WrongTarget {
  readonly how: "elsewhere" | "unknown" | "other-pods";
  readonly configuration: WebhookConfiguration;
  readonly index: number;
  /** The Service that is called, and what was found there. */
  readonly ref: ObjectRef & { readonly namespace: string };
  readonly service: Service | null;
  readonly install: Install;
  /** The Service that should be called. */
  readonly own: { readonly namespace: string; readonly name: string };
}

/** The entries that lead past their install. A Service that the install itself lacks is another matter, and so is a leftover without an install. */
export function wrongTargets(facts: {
  readonly webhooks: readonly WebhookRegistration[];
  readonly webhookServices: readonly Lookup<Service>[];
  readonly deployments: readonly Deployment[];
}): readonly WrongTarget[] {
  const found = installs(facts);
  return calledServices(facts).flatMap(({ ref, service, callers }) =>
    callers.flatMap(({ configuration, index }) => {
      const install = installServed(configuration, { webhooks: facts.webhooks, installs: found });
      if (!install) return [];
      const own = webhookServiceOf(install);
      const how = own && howWrong(ref, service, { own, install, services: facts.webhookServices });
      return how ? [{ how, configuration, index, ref, service, install, own }] : [];
    }),
  );
}

interface Right {
  readonly own: WrongTarget["own"];
  readonly install: Install;
  readonly services: readonly Lookup<Service>[];
}

function howWrong(ref: WrongTarget["ref"], service: Service | null, { own, install, services }: Right): WrongTarget["how"] | undefined {
  if (ref.namespace !== install.namespace) return "elsewhere";
  if (ref.name === own.name) return undefined;
  // Operators name their Services themselves: the guess counts where such a Service is there, or the called name can't be one.
  const ownExists = services.some((one) => one.object && one.ref.namespace === own.namespace && one.ref.name === own.name);
  if (!service) return ownExists || garblingOf(ref.name) ? "unknown" : undefined;
  const selector = service.spec?.selector;
  const webhook = install.components.webhook;
  const labels = webhook?.spec.template.metadata?.labels ?? webhook?.spec.selector?.matchLabels;
  // Without a selector somebody writes the endpoints by hand, and without labels nothing can be compared.
  if (!selector || !labels || Object.keys(selector).length === 0) return undefined;
  return isSelected(labels, selector) ? undefined : "other-pods";
}
