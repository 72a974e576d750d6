import { createHmac, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { graded } from '#src/certainty.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import { equalSecrets } from '#src/http/constant-time.ts';
import { digestOf, hostileIn } from '#src/item-text.ts';
import type { NotificationResult, ProviderEvent, ProviderNotification } from '#src/notifications.ts';
import { probeName, readNotification, withoutPrefix } from '#src/woovi/events.ts';
import type { PublicKeys } from '#src/woovi/public-keys.ts';

const envelopeSchema = z.looseObject({ event: z.string().min(1).max(100).optional(), evento: z.string().optional() });

export interface WooviVerifying {
  readonly providerId: string;
  readonly publicKeys: PublicKeys;
  readonly webhookSecrets: readonly string[];
}

/**
 * `x-webhook-signature`, base64 of RSA PKCS #1 v1.5 with SHA-256 over the bytes as they came, is made with one key for all of
 * Woovi's customers: any of them can have a body signed. `X-OpenPix-Signature`, base64 of HMAC-SHA1 with the
 * secret of one of our own webhooks, proves that the body was for us.
 */
export async function verifyWooviNotification(
  { providerId, publicKeys, webhookSecrets }: WooviVerifying,
  notification: ProviderNotification,
): Promise<NotificationResult> {
  const isOurs = isSignedForUs(webhookSecrets, notification);
  if (!isOurs && !(await isSignedByWoovi(publicKeys, notification))) {
    return { ok: false, reason: 'the signature is missing or wrong' };
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(notification.rawBody));
  } catch {
    return { ok: false, reason: 'the body is not JSON' };
  }
  const envelope = envelopeSchema.safeParse(body);
  if (!envelope.success) return { ok: false, reason: `the body is ${shapeOf(body)}` };
  const event = eventOf(providerId, envelope.data, notification.receivedAt);
  if (isOurs) return { ok: true, grade: 'ours', events: [graded('ours', event)] };
  return { ok: true, grade: 'platform', events: [graded('hint', event)] };
}

function eventOf(providerId: string, body: z.infer<typeof envelopeSchema>, receivedAt: Date): ProviderEvent {
  const hostile = hostileIn(body);
  const facts = { at: receivedAt, raw: hostile === null ? body : shapeOf(body) };
  const digest = digestOf(body);
  const unreadableKey = `${providerId}:unreadable:${digest}`;
  if (hostile) return { type: 'unreadable', dedupeKey: unreadableKey, ...facts, reason: hostile };
  if (body.evento === probeName) return { type: 'probe', dedupeKey: `${providerId}:probe:${digest}`, ...facts };
  const dedupeKey = `${providerId}:ignored:${digest}`;
  if (body.event === undefined) return { type: 'ignored', dedupeKey, ...facts, reason: 'no event is named' };
  const read = readNotification(providerId, { event: withoutPrefix(body.event), body, receivedAt });
  const reason = `${body.event} as ${shapeOf(body)}`;
  switch (read.kind) {
    case 'event':
      return read.event;
    case 'ignored':
      return { type: 'ignored', dedupeKey, ...facts, reason };
    case 'unreadable':
      return { type: 'unreadable', dedupeKey: unreadableKey, ...facts, reason };
  }
}

function isSignedForUs(secrets: readonly string[], { headers, rawBody }: ProviderNotification): boolean {
  const signature = headers['x-openpix-signature'];
  if (typeof signature !== 'string' || signature.length > signatureCharactersMax) return false;
  return secrets.some((secret) => equalSecrets(signature, createHmac('sha1', secret).update(rawBody).digest('base64')));
}

const signatureCharactersMax = 1_024;

async function isSignedByWoovi(publicKeys: PublicKeys, { headers, rawBody }: ProviderNotification): Promise<boolean> {
  const text = headers['x-webhook-signature'];
  if (typeof text !== 'string' || text.length > signatureCharactersMax) return false;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const signature = Buffer.from(text, 'base64');
  const fits = (key: KeyObject) => verify('sha256', rawBody, key, signature);
  return publicKeys.known().some(fits) || (await publicKeys.published()).some(fits);
}
