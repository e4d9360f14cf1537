import { existsSync, readFileSync, rmSync } from "node:fs";

const published = /^jetstack\/cert-manager-(?:controller|webhook|cainjector|acmesolver|startupapicheck|ctl)$/;
const released = /^v\d+\.\d+\.\d+$/;

/** Where a node asks for an image, as its reference has it. */
interface Asked {
  readonly image: string;
  readonly host: string;
  readonly repository: string;
  readonly tag: string;
}

/** The registries that nodes of the test control plane know, and what `skopeo copy` (../bin) has put into them. */
export class Registries {
  private readonly copies: string;
  private readonly hidden = new Set<string>();

  /** `copies` is a file with an image a line. */
  constructor(copies: string) {
    this.copies = copies;
  }

  /** Makes it one that the nodes can't resolve. */
  hide(registry: string): void {
    this.hidden.add(registry);
  }

  reset(): void {
    this.hidden.clear();
    rmSync(this.copies, { force: true });
  }

  /** What the kubelet says where a pull fails, in the words of containerd 2; undefined where it succeeds. `logins` are the registries with credentials. */
  refusal(image: string, logins: readonly string[]): string | undefined {
    const [, host = "", repository = "", tag = ""] = /^([^/]+)\/([^:@]+):?(.*)$/.exec(image) ?? [];
    const asked = { image, host, repository, tag };
    if (this.hidden.has(host)) return unresolved(asked);
    switch (host) {
      case "quay.io":
        return published.test(repository) ? (released.test(tag) ? undefined : notFound(asked)) : unauthorized(asked);
      case "registry.mirror.test":
        return released.test(tag) ? undefined : notFound(asked);
      case "registry.private.test":
        return logins.includes(host) ? undefined : noCredentials(asked);
      case "registry.empty.test":
        return this.wasCopied(image) ? undefined : notFound(asked);
      case "registry.unreachable.test":
        return unresolved(asked);
      default:
        return undefined;
    }
  }

  private wasCopied(image: string): boolean {
    return existsSync(this.copies) && readFileSync(this.copies, "utf8").split("\n").includes(image);
  }
}

function failed({ image }: Asked, why: string): string {
  return `failed to pull and unpack image "${image}": failed to resolve image: ${why}`;
}

function manifestOf({ host, repository, tag }: Asked): string {
  return `https://${host}/v2/${repository}/manifests/${tag}`;
}

/** The only one of these whose gRPC code says something, which the kubelet then shows. */
function notFound(asked: Asked): string {
  return `rpc error: code = NotFound desc = ${failed(asked, `${asked.image}: not found`)}`;
}

/** As quay.io answers for a repository that it doesn't have, or that isn't public. */
function unauthorized(asked: Asked): string {
  return failed(asked, `unexpected status from HEAD request to ${manifestOf(asked)}: 401 UNAUTHORIZED`);
}

function noCredentials(asked: Asked): string {
  return failed(asked, "pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials");
}

function unresolved(asked: Asked): string {
  return failed(asked, `failed to do request: Head "${manifestOf(asked)}": dial tcp: lookup ${asked.host} on 192.168.49.1:53: no such host`);
}
