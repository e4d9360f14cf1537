import { lines } from "./commands.ts";

/** The name that the documentation gives to an image pull Secret. */
export const usualPullSecret = "regcred";

/** Makes an image pull Secret, or puts new credentials into it; asks for them, so that they don't end up in the shell's history. */
export function writePullSecret(namespace: string, name: string, registry: string): string {
  const server = registry === "docker.io" ? "https://index.docker.io/v1/" : registry;
  return lines(
    `printf 'User name for ${registry}: ' && read -r REGISTRY_USER &&`,
    "printf 'Password: ' && read -rs REGISTRY_PASSWORD &&",
    `kubectl -n ${namespace} create secret docker-registry ${name} --docker-server=${server}`,
    '--docker-username="$REGISTRY_USER" --docker-password="$REGISTRY_PASSWORD" --dry-run=client -o yaml |',
    "kubectl apply -f -",
  );
}

/** What registries say to a node whose credentials they don't accept, or that has none. */
export const refusedPull =
  /401 (?:Unauthorized|UNAUTHORIZED)|403 (?:Forbidden|FORBIDDEN)|unauthorized(?:: | to access)|pull access denied|authentication required|authorization failed|insufficient_scope|no basic auth credentials|denied: requested access/;
