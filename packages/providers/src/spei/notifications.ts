import { createHash, createHmac } from 'node:crypto';
import { told } from '#src/certainty.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import { equalSecrets } from '#src/http/constant-time.ts';
import type { NotificationVerdict, ProviderEvent, ProviderNotification } from '#src/notifications.ts';
import { eventOfNotification } from '#src/spei/events.ts';
import { notificationSchema, type SpeiNotification } from '#src/spei/wire.ts';

/**
 * `x-spei-signature: sha256=<hex>`, HMAC-SHA256 over the bytes as they came. A notification has no time limit: it is stored
 * before it is read, and telling the same thing twice changes nothing.
 */
export function verifySpeiNotification(
  { id, notificationSecret }: { readonly id: string; readonly notificationSecret: string },
  { rawBody, headers }: ProviderNotification,
): NotificationVerdict {
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
  return { ok: true, grade: 'ours', events: [told('ours', eventOf(id, notification.data))] };
}

function eventOf(providerId: string, notification: SpeiNotification): ProviderEvent {
  const facts = { at: notification.created_at, raw: notification };
  const digest = createHash('sha256').update(JSON.stringify(notification)).digest('hex').slice(0, 32);
  if (notification.type === 'ping') return { type: 'probe', dedupeKey: `${providerId}:probe:${digest}`, ...facts };
  const event = eventOfNotification(providerId, notification);
  const reason = `${notification.type} as ${shapeOf(notification.data)}`;
  return event ?? { type: 'ignored', dedupeKey: `${providerId}:ignored:${digest}`, ...facts, reason };
}
