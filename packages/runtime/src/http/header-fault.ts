import type { IncomingMessage } from 'node:http';

/**
 * Headers a request has once at most. Node keeps the first of two and hides the other, a proxy before it may have
 * believed the other one (RFC 9112, 3.2; RFC 9110, 5.3).
 */
const sentOnce: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type']);

/** What is wrong with the headers of a request as a whole, in words for its sender; undefined when nothing is. */
export function headerFaultOf({ rawHeaders, headers, httpVersionMajor, httpVersionMinor }: IncomingMessage) {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!sentOnce.has(name)) continue;
    if (seen.has(name)) return `the header ${name} is sent more than once`;
    seen.add(name);
  }
  const needsHost = httpVersionMajor === 1 && httpVersionMinor === 1;
  return needsHost && headers.host === undefined ? 'the header host is required' : undefined;
}
