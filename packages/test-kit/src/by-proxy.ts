/**
 * The URL by which a server is reached through a proxy that listens on loopback. A URL of PostgreSQL may name the directory of its
 * socket as well (`host`), which drivers take before the address, past every proxy.
 */
export function byProxy(url: string | URL, port: number): string {
  const way = new URL(url);
  way.hostname = '127.0.0.1';
  way.port = String(port);
  way.searchParams.delete('host');
  return way.href;
}
