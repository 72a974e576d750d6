import type { InternalTls } from '@gateway/runtime';

/** For every connection to PostgreSQL; a server without TLS, or of another name, is refused. */
export function databaseTls(tls: Pick<InternalTls, 'ca'> | undefined): { ssl?: { ca: string } } {
  return tls ? { ssl: { ca: tls.ca } } : {};
}

/** The URL's parameter `host`, with which libpq and `pg` go before its own host (a directory is that of a kernel socket). */
export function socketOf(url: string): { host?: string } {
  const host = new URL(url).searchParams.get('host');
  return host === null ? {} : { host };
}
