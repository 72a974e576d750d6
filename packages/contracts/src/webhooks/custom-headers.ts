import { z } from 'zod';

/** Headers of its own an endpoint may have, and the lengths of their names and values in characters. */
const headersMax = 20;
const nameCharactersMax = 64;
const valueCharactersMax = 1_024;

/** RFC 9110 5.6.2: what a field name may consist of. */
const nameSchema = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9!#$%&'*+.^_\`|~-]{1,${nameCharactersMax}}$`),
    `must be a header name of at most ${nameCharactersMax} characters`,
  );

/** Visible ASCII and inner spaces: nothing that could end the line and begin another header. */
const valueSchema = z
  .string()
  .max(valueCharactersMax)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable ASCII without spaces at its ends');

/** What the gateway says itself, or what belongs to the connection and not to the message. */
const reservedNames = new Set([
  ...['accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'date', 'expect'],
  ...['forwarded', 'host', 'http2-settings', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['user-agent', 'via', 'traceparent', 'tracestate', '__proto__'],
]);
const reservedPrefixes = ['x-gateway-', 'webhook-', 'proxy-', 'x-forwarded-'];

/** Shown instead of a value, which may be a credential; given back in a change it keeps the value there is. */
export const maskedHeaderValue = '***';

/** Headers each delivery of an endpoint carries besides the gateway's. Names are compared without case. */
export const customHeadersSchema = z.record(nameSchema, valueSchema).superRefine((headers, context) => {
  const names = Object.keys(headers);
  if (names.length > headersMax) {
    context.addIssue({ code: 'custom', message: `must have at most ${headersMax} headers` });
  }
  const seen = new Set<string>();
  for (const name of names) {
    const lowerCase = name.toLowerCase();
    if (isReserved(lowerCase)) context.addIssue({ code: 'custom', path: [name], message: 'is a reserved header' });
    if (seen.has(lowerCase)) context.addIssue({ code: 'custom', path: [name], message: 'must be given once' });
    seen.add(lowerCase);
  }
});
export type CustomHeaders = z.infer<typeof customHeadersSchema>;

/** Calls of one endpoint per second, on average; half a second's worth may come at once. */
export const rateLimitPerSecondSchema = z.int().min(1).max(1_000);

function isReserved(lowerCase: string): boolean {
  return reservedNames.has(lowerCase) || reservedPrefixes.some((prefix) => lowerCase.startsWith(prefix));
}
