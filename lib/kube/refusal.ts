/** Which rule of the cluster keeps a pod out, by the API server's words about a refused create. */
export type RefusalKind =
  | "pod-security"
  | "security-context-constraint"
  | "user-range"
  | "priority"
  | "quota"
  | "service-account"
  | "image-policy"
  /** Another policy, or an answer that nothing here knows. */
  | "policy";

/** Words of those who judge images: by the webhook's name, by a missing signature or by the registry. */
export const imagePolicyWords =
  /admission webhook "[^"]*(?:sigstore|cosign|connaisseur|image-?policy|ratify|notation|portieris|notary)[^"]*" denied|image policy webhook backend denied|denied by Binary Authorization|image verification failed|failed to verify (?:the )?(?:image|signature)|no (?:matching )?signatures|signed digest|invalid image repo|allowed repos are|(?:unknown|unapproved|untrusted) image registry/i;

// In this order: a webhook's denial may quote any of the words that follow.
const kinds: readonly (readonly [RefusalKind, RegExp])[] = [
  ["image-policy", imagePolicyWords],
  ["policy", /denied the request|denied request|failed calling webhook/],
  ["pod-security", /violates PodSecurity "|unable to validate against any pod security policy/],
  ["user-range", /unable to validate against any security context constraint(?!.*seccomp may not be set).*must be in the ranges/s],
  ["security-context-constraint", /unable to validate against any security context constraint/],
  ["priority", /insufficient quota to match these scopes: \[\{PriorityClass |no PriorityClass with name \S+ was found/],
  ["quota", /(?:exceeded|failed|insufficient|status unknown for) quota|(?:minimum|maximum) \S+ usage per (?:Container|Pod) is|max limit to request ratio/],
  ["service-account", /error looking up service account /],
];

/** What kind of rule refused a pod; `policy` where the words name none of the others. */
export function refusalKind(message: string): RefusalKind {
  return kinds.find(([, words]) => words.test(message))?.[0] ?? "policy";
}
