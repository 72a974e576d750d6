/** What of `fetch` the client uses: any implementation of the standard fits, and no types of a platform are needed. */
export type FetchLike = (url: string, init: RequestLike) => Promise<ResponseLike>;

export interface RequestLike {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly redirect: 'manual';
  readonly signal: SignalLike;
}

export interface HeadersLike {
  get(name: string): string | null;
  forEach(callback: (value: string, name: string) => void): void;
}

export interface ResponseLike {
  readonly status: number;
  readonly headers: HeadersLike;
  /** A stream of the bytes; what kind, the platform decides. */
  readonly body: unknown;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The id under which the gateway's log has a call. */
export function requestIdOf({ headers }: ResponseLike): string | undefined {
  return headers.get('x-request-id') ?? undefined;
}

/** What of an `AbortSignal` is used. */
export interface SignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

interface Runtime {
  readonly process?: {
    readonly versions?: { readonly node?: string; readonly bun?: string };
    readonly platform?: string;
    readonly arch?: string;
    readonly env?: Readonly<Record<string, string | undefined>>;
  };
  readonly Deno?: {
    readonly version: { readonly deno: string };
    readonly createHttpClient: (options: { readonly poolMaxIdlePerHost: number }) => unknown;
  };
  readonly navigator?: { readonly userAgent?: string };
  readonly window?: { readonly document?: unknown };
}

const runtime: Runtime = globalThis;

/** `node 24.21.0; linux x64`, as far as the runtime answers. */
export function runtimeName(): string {
  const { process } = runtime;
  const place = process?.platform === undefined ? '' : `; ${process.platform} ${process.arch ?? ''}`;
  if (runtime.Deno !== undefined) return `deno ${runtime.Deno.version.deno}${place}`;
  if (process?.versions?.bun !== undefined) return `bun ${process.versions.bun}${place}`;
  if (runtime.navigator?.userAgent === 'Cloudflare-Workers') return 'workerd';
  return process?.versions?.node === undefined ? 'unknown' : `node ${process.versions.node}${place}`;
}

/** The platform's own `fetch`. */
export function platformFetch(): FetchLike {
  const { fetch } = globalThis as unknown as { readonly fetch: FetchLike };
  return fetch.bind(globalThis);
}

let withoutKeptConnections: unknown;

/**
 * The `fetch` of the platform for requests of which a second one makes a second record. Deno's sends a request again by itself
 * when a connection that it had kept is reset before the answer, so that there each of them gets a connection of its own.
 */
export function fetchOnceOf(fetch: FetchLike): FetchLike {
  const { Deno } = runtime;
  if (Deno === undefined) return fetch;
  return (url, init) => {
    withoutKeptConnections ??= Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    const once: RequestLike & { readonly client: unknown } = { ...init, client: withoutKeptConnections };
    return fetch(url, once);
  };
}

/** A page in a browser, where every visitor would have the secret key. */
export function isBrowser(): boolean {
  return runtime.window?.document !== undefined;
}

/** The variables of the process, where the runtime has them. */
export function environmentOfProcess(): Readonly<Record<string, string | undefined>> {
  return runtime.process?.env ?? {};
}
