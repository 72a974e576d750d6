import { createHmac } from 'node:crypto';
import { graded } from '#src/certainty.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import { equalSecrets } from '#src/http/constant-time.ts';
import { digestOf, hostileIn } from '#src/item-text.ts';
import type { NotificationResult, ProviderEvent, ProviderNotification } from '#src/notifications.ts';
import { eventOfNotification } from '#src/spei/events.ts';
import { notificationSchema, type SpeiNotification } from '#src/spei/wire.ts';

/**
 * `x-spei-signature: sha256=<hex>`, HMAC-SHA256 over the bytes as they came. A notification has no time limit: it is stored
 * before it is read, and reporting the same thing twice changes nothing.
 */
export function verifySpeiNotification(
  { id, notificationSecret }: { readonly id: string; readonly notificationSecret: string },
  { rawBody, headers }: ProviderNotification,
): NotificationResult {
  const signature = headers['x-spei-signature'];
  const expected = `sha256=${createHmac('sha256', notificationSecret).update(rawBody).digest('hex')}`;
  if (typeof signature !== 'string' || !equalSecrets(signature, expected)) {
    return { ok: false, reason: 'the signature is missing or wrong' };
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    return { ok: false, reason: 'the body is not JSON' };
  }
  const notification = notificationSchema.safeParse(body);
  if (!notification.success) return { ok: false, reason: `the body is ${shapeOf(body)}` };
  return { ok: true, grade: 'ours', events: [graded('ours', eventOf(id, notification.data))] };
}

/** What has consequences here: one of these that cannot be read is not to be passed over. */
const followedTypes: ReadonlySet<string> = new Set([
  'charge.payment_received',
  'transfer.settled',
  'transfer.failed',
  'transfer.returned',
  'refund.settled',
  'refund.failed',
]);

function isUnderWay(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'status' in data && data.status === 'PROCESSING';
}

function eventOf(providerId: string, notification: SpeiNotification): ProviderEvent {
  const hostile = hostileIn(notification);
  const facts = { at: notification.created_at, raw: hostile === null ? notification : shapeOf(notification) };
  const digest = digestOf(notification);
  const unreadableKey = `${providerId}:unreadable:${digest}`;
  if (hostile) return { type: 'unreadable', dedupeKey: unreadableKey, ...facts, reason: hostile };
  if (notification.type === 'ping') return { type: 'probe', dedupeKey: `${providerId}:probe:${digest}`, ...facts };
  const event = eventOfNotification(providerId, notification);
  if (event) return event;
  const reason = `${notification.type} as ${shapeOf(notification.data)}`;
  if (!followedTypes.has(notification.type) || isUnderWay(notification.data)) {
    return { type: 'ignored', dedupeKey: `${providerId}:ignored:${digest}`, ...facts, reason };
  }
  return { type: 'unreadable', dedupeKey: unreadableKey, ...facts, reason };
}
