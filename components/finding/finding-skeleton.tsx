import { Skeleton } from "@/components/ui/skeleton.tsx";

/** The shape of a finding that isn't there yet. */
export function FindingSkeleton({ label }: { label: string }) {
  return (
    <div role="status" className="pt-5">
      <span className="sr-only">{label}</span>
      <Skeleton className="mb-9 h-5 max-w-72" />
      <Skeleton className="mb-3 h-7 max-w-120" />
      <Skeleton className="mb-8 h-5 max-w-150" />
      <div className="grid gap-7 roomy:grid-cols-[minmax(0,1fr)_17.5rem]">
        <div className="rounded-xl border border-line bg-surface">
          {["a", "b", "c"].map((step) => (
            <div key={step} className="flex gap-3.5 border-t border-line p-5 first:border-t-0">
              <Skeleton className="size-6 rounded-full" />
              <div className="grid flex-1 gap-2.5">
                <Skeleton className="h-5 w-1/2" />
                <Skeleton className="h-16" />
              </div>
            </div>
          ))}
        </div>
        <div className="grid content-start gap-2.5">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-52" />
          <Skeleton className="h-4 w-44" />
        </div>
      </div>
    </div>
  );
}
