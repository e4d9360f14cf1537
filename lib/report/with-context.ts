/**
 * The command pointed at one cluster: every `kubectl` and `helm` in it names the context, so that a pasted command
 * can't run against another cluster. Without a context (inside a cluster, a snapshot) it stays as it is.
 */
export function withContext(command: string, context: string | null): string {
  if (!context) return command;
  const name = /^[\w.@:/-]+$/.test(context) ? context : `'${context.replaceAll("'", "'\\''")}'`;
  return command.replace(
    /(^|[\n|;&(]\s*|\bdo )(kubectl|helm) /g,
    (_, before: string, tool: string) => `${before}${tool} ${tool === "helm" ? "--kube-context" : "--context"} ${name} `,
  );
}
