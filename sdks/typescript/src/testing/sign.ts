import type { Version } from '../contracts.ts';
import type { EventName } from '../webhooks/events.ts';
import { hmacOf, joined, utf8 } from '../webhooks/hmac.ts';
import { samples } from '../generated/samples.ts';

/** A delivery as the gateway would send it. */
export interface SignedDelivery {
  readonly body: string;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface DeliveryToSign {
  readonly secret: string;
  /** A whole event; `sampleEvent` makes one. */
  readonly event: { readonly id: string } & object;
  /** Unix seconds at which it is signed. */
  readonly now?: number | undefined;
  readonly attempt?: number | undefined;
}

/** A body to be signed as it is. */
export interface BodyToSign {
  readonly secret: string;
  /** Of the event. */
  readonly id: string;
  readonly body: string | Uint8Array;
  /** Unix seconds at which it is signed. */
  readonly now?: number | undefined;
  readonly attempt?: number | undefined;
}

/** Signs an event for the tests of a receiver, in both schemes. */
export async function signedDelivery({ event, ...signed }: DeliveryToSign): Promise<SignedDelivery> {
  const body = JSON.stringify(event);
  return { body, headers: await signedHeaders({ ...signed, id: event.id, body }) };
}

/** The headers of a delivery whose body is these bytes, in lower case. */
export async function signedHeaders({
  secret,
  id,
  body,
  now,
  attempt = 1,
}: BodyToSign): Promise<Record<string, string>> {
  const bytes = typeof body === 'string' ? utf8(body) : body;
  const time = String(now ?? Math.floor(Date.now() / 1_000));
  const own = await hmacOf(utf8(secret), joined(`${time}.`, bytes));
  const hex = [...own].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const decoded = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (character) => character.charCodeAt(0));
  const standard = await hmacOf(decoded, joined(`${id}.${time}.`, bytes));
  return {
    'content-type': 'application/json',
    'x-gateway-timestamp': time,
    'x-gateway-signature': `sha256=${hex}`,
    'x-gateway-event-id': id,
    'x-gateway-delivery-id': `dlv_${id.slice(4)}`,
    'x-gateway-attempt': String(attempt),
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
  };
}

/** The example of an event, as the API description has it. */
export function sampleEvent<Name extends EventName>(name: Name, apiVersion: Version = '0.1'): SampleEvent<Name> {
  return structuredClone(samples[apiVersion][name]) as unknown as SampleEvent<Name>;
}

export interface SampleEvent<Name extends EventName> {
  id: string;
  event: Name;
  created_at: number;
  environment: string;
  data: Record<string, unknown> & { id: string };
}

/** A secret for tests, of the form of a webhook's. */
export const testSecret = 'whsec_YW4gZXhhbXBsZSB0aGF0IHNpZ25zIG5vIGRlbGl2ZXJ5';

/** E-mail keys of a test payout that decide what becomes of it. */
export const magicKeys = {
  /** REJECTED at once. */
  refuse: 'refuse@sandbox.test',
  /** PROCESSING, then FAILED. */
  fail: 'fail@sandbox.test',
  /** 504, then PAID. */
  timeout: 'timeout@sandbox.test',
  /** PROCESSING until `test.payouts.settle`. */
  hold: 'hold@sandbox.test',
  /** REJECTED with `owner_mismatch` where `enforce_ownership` is true. */
  owner: 'owner@sandbox.test',
  /** PENDING until it is approved. */
  approve: 'approve@sandbox.test',
} as const;
