import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificateAuthority } from '@gateway/test-kit';
import { startChild } from '../load/child.ts';

export type ReceiversCommand =
  | { readonly kind: 'open'; readonly count: number; readonly tls: ServerCertificate | undefined }
  | { readonly kind: 'arrivals'; readonly path: string }
  | { readonly kind: 'timed' }
  | { readonly kind: 'hang'; readonly each: number };

export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/** What comes here is remembered one by one. */
export const timedPath = '/timed';

export interface TimedArrival {
  /** Position of the server. */
  readonly server: number;
  /** Of the record in the body. */
  readonly id: string;
  readonly atMs: number;
}

/** What came at one path, at all servers together. Times are of the machine's monotonic clock. */
export interface Arrivals {
  readonly deliveries: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export interface Receivers extends Disposable {
  /** One per server. */
  readonly origins: readonly string[];
  arrivals(path: string): Promise<Arrivals>;
  /** What came at the timed path since it was last asked. */
  timed(): Promise<readonly TimedArrival[]>;
  /** From now on each so many servers never answer at the timed path; 0: all answer. */
  hang(each: number): Promise<void>;
}

/** Servers that answer at once, with TLS when they are given a certificate, which is for localhost. */
export async function startReceivers(count: number, tls?: ServerCertificate): Promise<Receivers> {
  const child = startChild<ReceiversCommand, unknown>(new URL('./receivers-process.ts', import.meta.url));
  const ports = (await child.run({ kind: 'open', count, tls })) as number[];
  return {
    origins: ports.map((port) => (tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`)),
    arrivals: async (path) => (await child.run({ kind: 'arrivals', path })) as Arrivals,
    timed: async () => (await child.run({ kind: 'timed' })) as TimedArrival[],
    hang: async (each) => void (await child.run({ kind: 'hang', each })),
    [Symbol.dispose]: () => child[Symbol.dispose](),
  };
}

/** A certificate for localhost, and what makes a process trust who issued it. */
export interface TrustedCertificate extends Disposable {
  readonly certificate: ServerCertificate;
  readonly trustedBy: { readonly NODE_EXTRA_CA_CERTS: string };
}

/** Of an authority of this run's own, which only processes trust that are given its file. */
export function trustedCertificate(): TrustedCertificate {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const authority = createCertificateAuthority('benchmark authority');
  const file = join(directory, 'authority.pem');
  writeFileSync(file, authority.cert);
  return {
    certificate: authority.issue(['localhost']),
    trustedBy: { NODE_EXTRA_CA_CERTS: file },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
