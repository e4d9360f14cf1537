import { environmentManager, QueryClient } from "@tanstack/react-query";

let inBrowser: QueryClient | undefined;

function make(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: 1 } } });
}

/** One client for the life of the page in a browser, a new one for every request on the server: requests share nothing. */
export function queryClient(): QueryClient {
  if (environmentManager.isServer()) return make();
  inBrowser ??= make();
  return inBrowser;
}
