import { createHmac } from 'node:crypto';
import { graded } from '#src/certainty.ts';
import { eventOfNotification, isTransferEvent } from '#src/fintoc/events.ts';
import { eventSchema, type FintocEvent } from '#src/fintoc/wire.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import { equalSecrets } from '#src/http/constant-time.ts';
import { digestOf, hostileIn } from '#src/item-text.ts';
import type { NotificationResult, ProviderEvent, ProviderNotification } from '#src/notifications.ts';

/**
 * `Fintoc-Signature: t=<seconds>,v1=<hex>`, HMAC-SHA256 over the time, a point and the bytes as they came, with the secret
 * of the webhook endpoint ("Validate webhook signatures", docs.fintoc.com, read on 22 November 2026). The time has no limit
 * here: a notification is stored before it is read, and reporting the same thing twice changes nothing.
 */
export function verifyFintocNotification(
  { id, webhookSecrets }: { readonly id: string; readonly webhookSecrets: readonly string[] },
  { rawBody, headers }: ProviderNotification,
): NotificationResult {
  if (!isSigned(headers['fintoc-signature'], rawBody, webhookSecrets)) {
    return { ok: false, reason: 'the signature is missing or wrong' };
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    return { ok: false, reason: 'the body is not JSON' };
  }
  const event = eventSchema.safeParse(body);
  if (!event.success) return { ok: false, reason: `the body is ${shapeOf(body)}` };
  return { ok: true, grade: 'ours', events: [graded('ours', eventOf(id, event.data))] };
}

function isSigned(
  header: string | readonly string[] | undefined,
  rawBody: Uint8Array,
  secrets: readonly string[],
): boolean {
  if (typeof header !== 'string') return false;
  const parts = new Map(
    header.split(',').map((part): [string, string] => {
      const [name = '', value = ''] = part.trim().split('=', 2);
      return [name, value];
    }),
  );
  const time = parts.get('t');
  const signature = parts.get('v1');
  if (time === undefined || signature === undefined || !/^\d{1,12}$/.test(time)) return false;
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest('hex');
    return equalSecrets(signature, expected);
  });
}

function eventOf(providerId: string, event: FintocEvent): ProviderEvent {
  const hostile = hostileIn(event);
  const facts = { at: event.created_at, raw: hostile === null ? event : shapeOf(event) };
  const digest = digestOf(event);
  const unreadableKey = `${providerId}:unreadable:${digest}`;
  if (hostile) return { type: 'unreadable', dedupeKey: unreadableKey, ...facts, reason: hostile };
  const reason = `${event.type} as ${shapeOf(event.data)}`;
  const ignored = { type: 'ignored', dedupeKey: `${providerId}:ignored:${digest}`, ...facts, reason } as const;
  if (!isTransferEvent(event.type)) return ignored;
  const read = eventOfNotification(providerId, event);
  if (read === 'nothing') return ignored;
  return read ?? { type: 'unreadable', dedupeKey: unreadableKey, ...facts, reason };
}
