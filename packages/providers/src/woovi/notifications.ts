import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { told } from '#src/certainty.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import type { NotificationVerdict, ProviderEvent, ProviderNotification } from '#src/notifications.ts';
import { eventOfNotification, probeName } from '#src/woovi/events.ts';

const envelopeSchema = z.looseObject({ event: z.string().min(1).max(100).optional(), evento: z.string().optional() });

export type WooviVerifier = (notification: ProviderNotification) => NotificationVerdict;

/** `x-webhook-signature`: base64 of RSA PKCS #1 v1.5 with SHA-256 over the bytes as they came. */
export function wooviVerifier({
  providerId,
  publicKey,
  now,
}: {
  readonly providerId: string;
  readonly publicKey: string;
  readonly now: () => Date;
}): WooviVerifier {
  const key = createPublicKey(publicKey);
  return (notification) => {
    if (!isSigned(key, notification)) return { ok: false, reason: 'the signature is missing or wrong' };
    let body: unknown;
    try {
      body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(notification.rawBody));
    } catch {
      return { ok: false, reason: 'the body is not JSON' };
    }
    const envelope = envelopeSchema.safeParse(body);
    if (!envelope.success) return { ok: false, reason: `the body is ${shapeOf(body)}` };
    return { ok: true, grade: 'ours', events: [told('ours', eventOf(envelope.data))] };
  };

  function eventOf(body: z.infer<typeof envelopeSchema>): ProviderEvent {
    const facts = { at: now(), raw: body };
    const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 32);
    if (body.evento === probeName) return { type: 'probe', dedupeKey: `${providerId}:probe:${digest}`, ...facts };
    const dedupeKey = `${providerId}:ignored:${digest}`;
    if (body.event === undefined) return { type: 'ignored', dedupeKey, ...facts, reason: 'no event is named' };
    const event = eventOfNotification(providerId, { event: body.event, body, now: now() });
    return event ?? { type: 'ignored', dedupeKey, ...facts, reason: `${body.event} as ${shapeOf(body)}` };
  }
}

const signatureCharactersMax = 1_024;

function isSigned(key: KeyObject, { headers, rawBody }: ProviderNotification): boolean {
  const signature = headers['x-webhook-signature'];
  if (typeof signature !== 'string' || signature.length > signatureCharactersMax) return false;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return false;
  return verify('sha256', rawBody, key, Buffer.from(signature, 'base64'));
}
