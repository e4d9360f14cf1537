import Link from "next/link";
import { BrandMark } from "./brand-mark.tsx";

/** The product's name, which leads home. */
export function Brand({ name }: { name: string }) {
  return (
    <Link href="/" prefetch={false} className="flex items-center gap-2.5 rounded-md px-2 py-1 font-semibold tracking-tight">
      <BrandMark />
      {name}
    </Link>
  );
}
