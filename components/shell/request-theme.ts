import { cookies } from "next/headers";
import type { Theme } from "./theme-switch.tsx";

/** The colours that were chosen in this browser. */
export async function requestTheme(): Promise<Theme> {
  const value = (await cookies()).get("theme")?.value;
  return value === "light" || value === "dark" ? value : "system";
}
