import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { told } from '#src/certainty.ts';
import type { NotificationProof } from '#src/bacen/config.ts';
import { eventsOfPix, type PixReader } from '#src/bacen/received-pix.ts';
import { pixSchema } from '#src/bacen/wire.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import { equalSecrets } from '#src/http/constant-time.ts';
import type { NotificationVerdict, ProviderEvent, ProviderNotification } from '#src/notifications.ts';

/** One item of the array, read in a provider's dialect; null where the dialect does not know it. */
export type ItemReader = (item: unknown) => ProviderEvent[] | null;

const batchSchema = z.object({ pix: z.array(z.unknown()).min(1).max(10_000) });
/** What a provider sends to see whether somebody is at home: no payments in it. */
const probeSchema = z.object({ pix: z.array(z.unknown()).max(0).optional() });

export interface NotificationReading extends PixReader {
  readonly proof: NotificationProof;
  readonly now: () => Date;
  readonly readItem?: ItemReader;
}

/**
 * Notifications of the Pix API carry no signature. What is known here is at most who connected, so what they say is a
 * `hint`: something to look up.
 */
export function verifyAndParse(reading: NotificationReading, notification: ProviderNotification): NotificationVerdict {
  const refused = refusedProof(reading.proof, notification);
  if (refused) return { ok: false, reason: refused };
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(notification.rawBody));
  } catch {
    return { ok: false, reason: 'the body is not JSON' };
  }
  const batch = batchSchema.safeParse(body);
  if (batch.success) {
    const events = batch.data.pix.flatMap((item) => eventsOfItem(reading, item));
    return { ok: true, grade: 'hint', events: events.map((event) => told('hint', event)) };
  }
  if (!probeSchema.safeParse(body).success) return { ok: false, reason: `the body is ${shapeOf(body)}` };
  const facts = { dedupeKey: `${reading.providerId}:probe:${digestOf(body)}`, at: reading.now(), raw: body };
  return { ok: true, grade: 'hint', events: [told('hint', { type: 'probe', ...facts })] };
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
function eventsOfItem(reading: NotificationReading, item: unknown): ProviderEvent[] {
  const own = reading.readItem?.(item);
  if (own) return own;
  const pix = pixSchema.safeParse(item);
  if (pix.success) return eventsOfPix(reading, pix.data, item);
  const dedupeKey = `${reading.providerId}:unread:${digestOf(item)}`;
  return [{ type: 'ignored', dedupeKey, at: reading.now(), raw: item, reason: `an item is ${shapeOf(item)}` }];
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
