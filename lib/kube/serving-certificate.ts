import { flagOf, flagsOf, type Install, mainContainer } from "./install.ts";

/** The files that the webhook serves its certificate from, as far as its arguments name them. */
export interface CertificateFiles {
  readonly certificate?: string;
  readonly key?: string;
}

/** The files of a webhook that makes no certificate itself; undefined for one that does, or whose arguments don't tell. */
export function certificateFilesOf({ components: { webhook } }: Install): CertificateFiles | undefined {
  const [certificate, key] = [flagOf(webhook, "tls-cert-file"), flagOf(webhook, "tls-private-key-file")];
  return certificate || key ? { certificate, key } : undefined;
}

/** The volume that holds a certificate file of the install's webhook, and the Secret in it. */
export function certificateVolumeOf({ components: { webhook } }: Install, file: string | undefined): { name: string; secret?: string } | undefined {
  const mounts = (webhook && mainContainer(webhook)?.volumeMounts) ?? [];
  const mount = mounts.find(({ mountPath }) => file?.startsWith(`${mountPath.replace(/\/$/, "")}/`));
  const volume = webhook?.spec.template.spec.volumes?.find(({ name }) => name === mount?.name);
  return volume && { name: volume.name, secret: volume.secret?.secretName };
}

/** The names that the webhook puts into the certificate that it makes for itself. */
export function servedNamesOf({ components: { webhook } }: Install): readonly string[] {
  return flagsOf(webhook, "dynamic-serving-dns-names").flatMap((value) => value.split(","));
}

/** Whether a certificate for these names is good for that one. A star stands for one label. */
export function isCovered(name: string, names: readonly string[]): boolean {
  const [, ...rest] = name.toLowerCase().split(".");
  return names.some((one) => [name.toLowerCase(), ["*", ...rest].join(".")].includes(one.toLowerCase()));
}
