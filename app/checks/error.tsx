"use client";

export { ErrorPage as default } from "@/components/ui/error-page.tsx";
