import { maskedHeaderValue, type CustomHeaders } from '@gateway/contracts/webhooks';
import { gatewaySignature, standardSignature } from '#src/endpoints/signing-secrets.ts';

const loggedHeaderCharactersMax = 8_192;

export interface SignedRequest {
  readonly secret: string;
  /** During a rotation: the secret that takes over when it ends. */
  readonly nextSecret?: string | undefined;
  readonly eventId: string;
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
  /** Unix seconds; the time of the attempt, since receivers refuse old ones. */
  readonly timestamp: number;
  readonly body: Uint8Array;
}

/** The headers of a delivery: the gateway's, and those of Standard Webhooks beside them. */
export function requestHeaders(request: SignedRequest): Readonly<Record<string, string>> {
  const { secret, nextSecret, eventId, deliveryId, attempt, timestamp, body } = request;
  return {
    'content-type': 'application/json',
    'user-agent': 'Gateway-Webhooks/1',
    // Compressed responses are not wanted: they would be stored unread, or unpacked without a bound.
    'accept-encoding': 'identity',
    'X-Gateway-Timestamp': String(timestamp),
    'X-Gateway-Signature': gatewaySignature(secret, timestamp, body),
    // A header of its own, since receivers compare the main one as a whole: a list of signatures would break them.
    ...(nextSecret === undefined ? {} : { 'X-Gateway-Signature-Next': gatewaySignature(nextSecret, timestamp, body) }),
    'X-Gateway-Event-Id': eventId,
    'X-Gateway-Delivery-Id': deliveryId,
    'X-Gateway-Attempt': String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': [secret, ...(nextSecret === undefined ? [] : [nextSecret])]
      .map((each) => standardSignature(each, eventId, timestamp, body))
      .join(' '),
  };
}

/** The endpoint's own headers as the log shows them: by name alone, since their values may be credentials. */
export function maskedHeaders(headers: CustomHeaders = {}): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, maskedHeaderValue]));
}

/** Response headers as undici gives them. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** As many headers as fit, in their order, without the NUL characters that PostgreSQL cannot hold. */
export function loggedHeaders(headers: ResponseHeaders): Record<string, string> {
  const logged: Record<string, string> = {};
  let leftCharacters = loggedHeaderCharactersMax;
  for (const [name, value] of Object.entries(headers)) {
    const text = (Array.isArray(value) ? value.join(', ') : (value ?? '')).replaceAll('\0', '');
    leftCharacters -= name.length + text.length;
    if (leftCharacters < 0) break;
    logged[name] = text;
  }
  return logged;
}

/** Reads `Retry-After` (RFC 9110 10.2.3): seconds or a date. Undefined when it is missing, negative or nonsense. */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const waitMs = Date.parse(text) - nowMs;
  return waitMs > 0 ? waitMs : undefined;
}
