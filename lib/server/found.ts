import "server-only";

/** A view as JSON that nobody keeps, or 404 where there is none. */
export function found(view: object | null): Response {
  const headers = { "cache-control": "no-store" };
  if (!view) return Response.json({ message: "There is nothing under this address." }, { status: 404, headers });
  return Response.json(view, { headers });
}
