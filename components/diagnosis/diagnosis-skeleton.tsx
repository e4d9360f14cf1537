import { Skeleton } from "@/components/ui/skeleton.tsx";

/** The shape of a diagnosis that isn't there yet. */
export function DiagnosisSkeleton({ label }: { label: string }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <Skeleton className="mb-2 h-8 max-w-160" />
      <Skeleton className="mb-3 h-8 max-w-110" />
      <Skeleton className="mb-6 h-5 max-w-90" />
      <div className="mb-4 rounded-xl border border-line bg-surface p-5">
        <Skeleton className="mb-2.5 h-5 max-w-72" />
        <Skeleton className="mb-5 h-4 max-w-130" />
        <div className="grid gap-6 wide:grid-cols-3">
          <Skeleton className="h-15" />
          <Skeleton className="h-15" />
          <Skeleton className="h-15" />
        </div>
      </div>
      <Skeleton className="mb-8 h-11" />
      <div className="rounded-xl border border-line bg-surface">
        {["a", "b", "c"].map((row) => (
          <div key={row} className="flex items-center gap-3 border-t border-line px-4 py-3.5 first:border-t-0">
            <Skeleton className="size-5 rounded-full" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        ))}
      </div>
    </div>
  );
}
