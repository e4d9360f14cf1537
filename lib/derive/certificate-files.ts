import type { Install } from "../kube/install.ts";
import { type CertificateFiles, certificateFilesOf } from "../kube/serving-certificate.ts";
import { type ContainerLog, type Fact, knownValue } from "../model/facts.ts";
import type { Pod } from "../model/kubernetes.ts";
import { componentPods } from "./component-pods.ts";

const said = /using TLS certificate from local filesystem/;

/**
 * The files that an install's webhook serves its certificate from, by its arguments or, where a configuration file names them, by
 * its own log; undefined for a webhook that makes its certificate itself.
 */
export function certificateFiles(
  install: Install,
  { pods, logs }: { readonly pods: Fact<readonly Pod[]>; readonly logs: Fact<readonly ContainerLog[]> },
): CertificateFiles | undefined {
  const declared = certificateFilesOf(install);
  if (declared) return declared;
  const own = componentPods({ pods: knownValue(pods) ?? [] }, install, "webhook");
  const lines = (knownValue(logs) ?? [])
    .filter((log) => own.some(({ metadata }) => metadata.name === log.pod && metadata.namespace === log.namespace))
    .flatMap((log) => log.lines);
  const line = lines.findLast((one) => said.test(one));
  if (line === undefined) return undefined;
  return { certificate: /certificate="([^"]+)"/.exec(line)?.[1], key: /private_key_path="([^"]+)"/.exec(line)?.[1] };
}
