import { type ApiAnswer, statusAnswer } from "./api-answer.ts";
import type { SnapshotObject } from "./snapshot.ts";

/** How an answer is wanted: whole, or with metadata only. */
export type Form = "whole" | "PartialObjectMetadata" | "PartialObjectMetadataList";

/** The routes of an API server, which refuse a form each in words of their own. */
type Route = "version" | "built-in" | "built-in list" | "custom";

const types = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const representations: Readonly<Record<Exclude<Route, "custom">, string>> = {
  version: "application/json",
  "built-in": types,
  "built-in list": `${types}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
};

/** The first form that an Accept header names and that this server has, which is JSON only; else the refusal of that route. */
export function acceptedForm(accept: string, route: Route): Form | ApiAnswer {
  const clauses = accept.split(",").map((clause) => clause.split(";").map((part) => part.trim()));
  const readable = clauses.filter(([type]) => type === "application/json" || type === "*/*" || type === "");
  for (const [, ...parameters] of readable) {
    const form = formOf(parameters);
    if (form) return form;
  }
  if (readable.length > 0 || route === "custom") return statusAnswer(406, "NotAcceptable", `only the following media types are accepted: ${types}`);
  return statusAnswer(406, "NotAcceptable", `406: Not Acceptable\n\nAvailable representations: ${representations[route]}`, {});
}

/** Refuses a list where one object was asked for, and the other way round. */
export function wrongForm(form: Form, resource: { group: string; kind: string; custom: boolean }): ApiAnswer {
  const [group] = resource.group.split(".");
  const isList = form === "PartialObjectMetadata";
  if (resource.custom && !isList) return statusAnswer(500, undefined, "content is not a list");
  const type = resource.custom ? "unstructured.UnstructuredList" : `${group || "core"}.${resource.kind}${isList ? "List" : ""}`;
  return statusAnswer(406, "NotAcceptable", `you requested ${form}, but the requested object is ${isList ? "a list" : "not a list"} (*${type})`);
}

/** An object without spec, status and data. */
export function metadataOnly(object: SnapshotObject): object {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}

function formOf(parameters: readonly string[]): Form | undefined {
  const as = parameters.find((parameter) => parameter.startsWith("as="))?.slice(3);
  if (as === undefined) return "whole";
  if (as !== "PartialObjectMetadata" && as !== "PartialObjectMetadataList") return undefined;
  return parameters.includes("g=meta.k8s.io") && parameters.includes("v=v1") ? as : undefined;
}
