"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { checkupQuery } from "@/lib/client/checkup-query.ts";
import { fill } from "@/lib/i18n/fill.ts";

interface Props {
  readonly cluster: string;
  readonly kubernetes: string;
  /** How it is looked at: read-only, a snapshot, a demo cluster. */
  readonly kind: string;
}

/** The cluster's version, as soon as it is known. */
export function ClusterNote({ cluster, kubernetes, kind }: Props) {
  const { data } = useSuspenseQuery(checkupQuery(cluster));
  // v1.36.3+k3s1 → 1.36: the patch level matters to nobody who looks at this box.
  const version = data.report?.cluster.kubernetesVersion.match(/\d+\.\d+/)?.[0];
  return version ? `${fill(kubernetes, { version })} · ${kind}` : kind;
}
