"use client";

import { useEffect } from "react";

/**
 * The keys of every page. A key presses, or puts the cursor into, the visible element that claims it with
 * `data-hotkey`; `j` and `k` walk through the elements marked `data-row`.
 */
export function Keys() {
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", closeMenus);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", closeMenus);
    };
  }, []);
  return null;
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.closest("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  if (event.key === "Escape" && closeMenus(event)) return;
  const done = event.key === "j" ? walk(1) : event.key === "k" ? walk(-1) : press(event.key);
  if (done) event.preventDefault();
}

function press(key: string): boolean {
  const element = visible<HTMLElement>(`[data-hotkey="${CSS.escape(key)}"]`)[0];
  if (!element) return false;
  if (element.matches("input, textarea")) element.focus();
  else element.click();
  return true;
}

function walk(step: 1 | -1): boolean {
  const rows = visible<HTMLElement>("[data-row]");
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at < 0 ? (step === 1 ? 0 : rows.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return next !== undefined;
}

function visible<T extends HTMLElement>(selector: string): readonly T[] {
  return [...document.querySelectorAll<T>(selector)].filter((element) => element.checkVisibility());
}

/** Closes open menus that the event is not inside of; a key is never inside. */
function closeMenus(event: Event): boolean {
  const open = [...document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]")].filter(
    (menu) => event.type === "keydown" || !(event.target instanceof Node && menu.contains(event.target)),
  );
  for (const menu of open) menu.open = false;
  return open.length > 0;
}
