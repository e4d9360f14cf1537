/** The checks whose failure keeps a component from running: causes of whatever that component should have done. */
export const startFailures = [
  "image-not-found",
  "image-pull-unauthorized",
  "image-pull-dns",
  "image-pull-secret-missing",
  "pod-unschedulable",
  "pod-crashloop",
  "pod-oomkilled",
  "deployment-scaled-to-zero",
  "partial-install",
] as const;
