import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { graded } from '#src/certainty.ts';
import type { NotificationProof } from '#src/bacen/config.ts';
import { eventsOfPix } from '#src/bacen/received-pix.ts';
import { pixSchema } from '#src/bacen/wire.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import { equalSecrets } from '#src/http/constant-time.ts';
import { digestOf, hostileIn } from '#src/item-text.ts';
import type { NotificationResult, ProviderEvent, ProviderNotification } from '#src/notifications.ts';

/** One item of the array, read in a provider's dialect; null where the dialect does not know it. */
export type ItemReader = (item: unknown, receivedAt: Date) => ProviderEvent[] | null;

const batchSchema = z.object({ pix: z.array(z.unknown()).min(1).max(10_000) });
/** What a provider sends to test the address: no payments in it. */
const probeSchema = z.object({ pix: z.array(z.unknown()).max(0).optional() });

/** Of mandates and their charges (Pix Automático), which are not made here. */
const mandateSchema = z.union([z.object({ recs: z.array(z.unknown()) }), z.object({ cobsr: z.array(z.unknown()) })]);

export interface NotificationReading {
  readonly providerId: string;
  readonly proof: NotificationProof;
  readonly readItem?: ItemReader;
}

/**
 * Notifications of the Pix API carry no signature. What is known here is at most who connected, so what they say is a
 * `hint`: something to look up.
 */
export function verifyAndParse(reading: NotificationReading, notification: ProviderNotification): NotificationResult {
  const refused = notification.isProven ? null : refusedProof(reading.proof, notification);
  if (refused) return { ok: false, reason: refused };
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(notification.rawBody));
  } catch {
    return { ok: false, reason: 'the body is not JSON' };
  }
  const batch = batchSchema.safeParse(body);
  if (batch.success) {
    const events = batch.data.pix.flatMap((item) => eventsOfItem(reading, item, notification.receivedAt));
    return { ok: true, grade: 'hint', events: events.map((event) => graded('hint', event)) };
  }
  const facts = { at: notification.receivedAt, raw: hostileIn(body) === null ? body : shapeOf(body) };
  if (mandateSchema.safeParse(body).success) {
    const dedupeKey = `${reading.providerId}:ignored:${digestOf(body)}`;
    const reason = 'mandates and their charges are not made here';
    return { ok: true, grade: 'hint', events: [graded('hint', { type: 'ignored', dedupeKey, ...facts, reason })] };
  }
  if (!probeSchema.safeParse(body).success) return { ok: false, reason: `the body is ${shapeOf(body)}` };
  const dedupeKey = `${reading.providerId}:probe:${digestOf(body)}`;
  return { ok: true, grade: 'hint', events: [graded('hint', { type: 'probe', dedupeKey, ...facts })] };
}

function refusedProof(proof: NotificationProof, { query, remoteIp, tlsPeer }: ProviderNotification): string | null {
  if (proof.secret !== undefined) {
    const given = query['hmac'];
    if (typeof given !== 'string' || !equalSecrets(given, proof.secret)) return 'the secret is missing or wrong';
  }
  if (proof.certificateFingerprints?.length) {
    if (!tlsPeer || !proof.certificateFingerprints.includes(tlsPeer.fingerprint256)) {
      return 'the client certificate is missing or unknown';
    }
  }
  if (proof.sourceAddresses?.length && !proof.sourceAddresses.includes(plainAddress(remoteIp))) {
    return 'the source address is not the provider';
  }
  return null;
}

/** An IPv4 address that arrived over a dual-stack socket is written as IPv6. */
function plainAddress(address: string): string {
  const mapped = address.replace(/^::ffff:/i, '');
  return isIPv4(mapped) ? mapped : address;
}

/** Each item stands alone: one that cannot be read does not take the others with it. */
function eventsOfItem(reading: NotificationReading, item: unknown, receivedAt: Date): ProviderEvent[] {
  const { providerId } = reading;
  const unreadable = (reason: string, raw: unknown): ProviderEvent[] => {
    const dedupeKey = `${providerId}:unreadable:${digestOf(item)}`;
    return [{ type: 'unreadable', dedupeKey, at: receivedAt, raw, reason }];
  };
  const hostile = hostileIn(item);
  if (hostile) return unreadable(hostile, shapeOf(item));
  const own = reading.readItem?.(item, receivedAt);
  if (own) return own;
  const pix = pixSchema.safeParse(item);
  return pix.success ? eventsOfPix(providerId, pix.data, item) : unreadable(`an item is ${shapeOf(item)}`, item);
}
