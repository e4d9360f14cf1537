import { ClusterError } from "../cluster/errors.ts";
import { caFlaw, certificatesIn } from "../kube/certificate.ts";
import { caSecretOf, installsIn } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import type { Rule } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

type Secret = KubeObject & { data?: Record<string, string> };

const rule: Rule = { apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: ["cert-manager-webhook-ca"], in: "install" };

export default defineGatherer({
  fact: "caSecrets",
  rules: [rule],
  needs: ["deployments"],
  uses: [],
  async gather(cluster, { deployments }, input) {
    const installs = installsIn(deployments);
    if (installs.length === 0) return new NotAsked("nothing-installed");
    const wanted = installs.flatMap((install) => caSecretOf(install) ?? []);
    if (wanted.length === 0) return new NotAsked("other-certificate-source");
    if (!input.readSecrets) throw new ClusterError("forbidden", "the dashboard's own account reads no Secrets unless that is switched on", { rule });
    return Promise.all(
      wanted.map(async ({ namespace, name }) => {
        const secret = await cluster.get<Secret>(resources.secrets, name, { namespace });
        const ref = { kind: "Secret", namespace, name };
        if (!secret) return { ref, object: null };
        // Only the public half goes on: the key in it could impersonate admission (security.md 1).
        const { data, metadata } = secret;
        const caCertificates = data?.["ca.crt"] ? certificatesIn(data["ca.crt"]) : null;
        return { ref, object: { ...tidy({ kind: "Secret", metadata }), caCertificates, flaw: caFlaw(data ?? {}) } };
      }),
    );
  },
});
