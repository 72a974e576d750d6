import type { Version } from '../contracts.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { SignatureError } from '../errors/signature-error.ts';
import { eventOf, type VerifiedEvent } from './events.ts';
import { anyIsOf, joined, utf8 } from './hmac.ts';

/** Headers in any form: those of the platform, or of Node. */
export type WebhookHeaders =
  { get(name: string): string | null | undefined } | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookToVerify {
  /** As it came: bytes, or the text of them. Never what a parser made of it. */
  readonly body: Uint8Array | string;
  readonly headers: WebhookHeaders;
  /** The `whsec_…` of the webhook; both while a rotation lasts. */
  readonly secret: string | readonly string[];
  /** How far away from now the time of signing may be; 300 s. */
  readonly toleranceSec?: number | undefined;
  /** Unix seconds, in place of the clock. */
  readonly now?: number | undefined;
}

/** What to do where a parser has read the body. */
export const howToGetBytes: string =
  'the body has to be the bytes as they came: express.raw({ type: "application/json" }) in Express, ' +
  'addContentTypeParser with parseAs "buffer" in Fastify, await request.arrayBuffer() in Next, await c.req.arrayBuffer() in Hono';

/**
 * The event of a delivery that the gateway has signed with one of the secrets, not long ago. Compared in constant time.
 *
 * @throws SignatureError with the reason: answer 401
 * @throws GatewayError for a signed body that is no event: answer 400
 * @throws TypeError for a body that was parsed, or without a secret
 */
export async function verifyWebhook<V extends Version = '0.1'>(webhook: WebhookToVerify): Promise<VerifiedEvent<V>> {
  const secrets = secretsOf(webhook.secret);
  const header = (name: string) => headerOf(webhook.headers, name);
  const body = bytesOf(webhook.body, header('content-length'));
  const own = [header('x-gateway-signature'), header('x-gateway-signature-next')].filter(isText);
  const standard = header('webhook-signature');
  if (own.length === 0 && standard === undefined)
    throw new SignatureError('missing', 'x-gateway-signature and webhook-signature are missing');
  // The time that the signature is over. One who repeats an old delivery can put any other time beside it.
  const time = header(own.length > 0 ? 'x-gateway-timestamp' : 'webhook-timestamp');
  checkTime(time, webhook.toleranceSec ?? 300, webhook.now ?? Date.now() / 1_000);
  const isSigned =
    standard === undefined || own.length > 0
      ? await isSignedByGateway(body, own, secrets, time)
      : await isSignedByStandard(body, standard, secrets, { id: header('webhook-id'), time });
  if (!isSigned) throw new SignatureError('mismatch', 'no signature is of this body, time and secret');
  const [id, deliveryId, attempt] = [
    header('webhook-id') ?? header('x-gateway-event-id'),
    header('x-gateway-delivery-id'),
    header('x-gateway-attempt'),
  ];
  const event = eventOf(parsedOrUndefined(body), { id, deliveryId, attempt });
  if (event === undefined) throw new GatewayError('the signed body is no event');
  return event;
}

/** `sha256=` and the hex HMAC of `{timestamp}.{body}` under the bytes of the whole secret. */
async function isSignedByGateway(
  body: Uint8Array,
  signatures: readonly string[],
  secrets: readonly string[],
  time: string,
): Promise<boolean> {
  const data = joined(`${time}.`, body);
  const given = signatures.map((signature) => {
    if (!/^sha256=[0-9a-f]{64}$/.test(signature))
      throw new SignatureError('malformed', 'a signature is not sha256=<hex>');
    return Uint8Array.from(signature.slice(7).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  });
  return anyHolds(
    secrets.map((secret) => utf8(secret)),
    given,
    data,
  );
}

/** Standard Webhooks: `v1,` and the base64 HMAC of `{id}.{timestamp}.{body}` under the decoded secret. */
async function isSignedByStandard(
  body: Uint8Array,
  list: string,
  secrets: readonly string[],
  { id, time }: { readonly id: string | undefined; readonly time: string },
): Promise<boolean> {
  if (id === undefined) throw new SignatureError('missing', 'webhook-id is missing');
  // Another version of the scheme may stand beside it.
  const given = list.split(' ').flatMap((each) => (each.startsWith('v1,') ? [base64(each.slice(3))] : []));
  if (given.length === 0) throw new SignatureError('malformed', 'webhook-signature has no v1 signature');
  const keys = secrets.map((secret) => base64(secret.replace(/^whsec_/, '')));
  return anyHolds(keys, given, joined(`${id}.${time}.`, body));
}

async function anyHolds(
  keys: readonly Uint8Array[],
  signatures: readonly Uint8Array[],
  data: Uint8Array,
): Promise<boolean> {
  let holds = false;
  for (const key of keys) holds = (await anyIsOf(key, signatures, data)) || holds;
  return holds;
}

function checkTime(time: string | undefined, toleranceSec: number, now: number): asserts time is string {
  if (time === undefined) throw new SignatureError('missing', 'the time of signing is missing');
  if (!/^\d{1,12}$/.test(time)) throw new SignatureError('malformed', 'the time of signing is no Unix time');
  const ageSec = now - Number(time);
  if (ageSec > toleranceSec) throw new SignatureError('too_old', `it was signed ${Math.round(ageSec)} s ago`);
  if (-ageSec > toleranceSec)
    throw new SignatureError('too_new', `it was signed ${Math.round(-ageSec)} s in the future`);
}

/** @param length `content-length`: nothing left of a body that had bytes was read by a parser */
function bytesOf(body: unknown, length: string | undefined): Uint8Array {
  const bytes = typeof body === 'string' ? utf8(body) : body;
  if (!(bytes instanceof Uint8Array) || (bytes.length === 0 && Number(length ?? 0) > 0))
    throw new TypeError(howToGetBytes);
  return bytes;
}

const secretLengthMin = 16;

/**
 * One secret or several, as they are given. An empty secret would sign anything.
 *
 * @throws TypeError that says what is wrong, and never shows a secret
 */
export function secretsOf(secret: unknown): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  const fault = secrets.length === 0 ? 'is an empty list' : secrets.map(faultOf).find((each) => each !== undefined);
  if (fault !== undefined)
    throw new TypeError(
      `secret ${fault}: it has to be the whsec_… of the webhook, which the answer that created the webhook has`,
    );
  return secrets as readonly string[];
}

function faultOf(secret: unknown): string | undefined {
  if (typeof secret !== 'string') return secret === undefined ? 'is undefined' : `is no text (${typeof secret})`;
  if (secret === '') return 'is empty';
  if (/^\s|\s$/.test(secret)) return 'has a space or line end around it';
  if (/^[sp]k_/.test(secret)) return 'is a key of the API';
  return secret.startsWith('whsec_') && secret.length >= secretLengthMin ? undefined : 'does not begin with whsec_';
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const named = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
  const found = Object.keys(named).find((each) => each.toLowerCase() === name);
  const value = found === undefined ? undefined : named[found];
  return typeof value === 'string' ? value : value?.[0];
}

function base64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new SignatureError('malformed', 'a signature or a secret is not base64');
  }
}

function parsedOrUndefined(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
