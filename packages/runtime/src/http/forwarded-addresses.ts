import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/**
 * Some proxies write the caller's port behind its address (`203.0.113.7:4711`, `[2001:db8::1]:4711`). The port changes
 * with every connection: left there, no allowlist knows the address, and a limit per address counts each call anew.
 */
export function dropForwardedPorts(headers: IncomingHttpHeaders): void {
  const given = headers['x-forwarded-for'];
  if (given === undefined) return;
  const text = typeof given === 'string' ? given : given.join(',');
  if (/[[\]]|\.\d+:\d/.test(text)) headers['x-forwarded-for'] = text.split(',').map(withoutPort).join(', ');
}

function withoutPort(entry: string): string {
  const text = entry.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  const address = bracketed ?? plain;
  return address !== undefined && isIP(address) > 0 ? address : text;
}
