import type { Delivery, DeliveryAttempt, Webhook, WebhookEventName } from '#src/generated/merchants/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** Under which the endpoints of the account are kept. */
export const endpointsKey = ['endpoints'] as const;

/** What a delivery's state means for its reader. */
export const toneOf: Readonly<Record<Delivery['status'], Tone>> = {
  PENDING: 'wait',
  DELIVERED: 'good',
  FAILED: 'bad',
};

/** Whether anything is sent to an endpoint. */
export const endpointToneOf: Readonly<Record<Webhook['status'], Tone>> = {
  enabled: 'good',
  paused: 'neutral',
  disabled: 'bad',
};

/** What the receiver answered last: its status, or why there was none. */
export function answerOf({
  response_status: status,
  error,
}: Pick<Delivery | DeliveryAttempt, 'response_status' | 'error'>): string {
  if (error !== null) return status === null ? error : `${status} · ${error}`;
  return status === null ? '–' : String(status);
}

/** Where the time of an attempt went; the parts of a connection that was there already are left out. */
export function timingOf(attempt: DeliveryAttempt): string {
  const parts = [
    ['dns', attempt.dns_ms],
    ['tcp', attempt.connect_ms],
    ['tls', attempt.tls_ms],
    ['first byte', attempt.first_byte_ms],
  ] as const;
  const known = parts.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms}`]));
  return known.length === 0 ? `${attempt.latency_ms} ms` : `${attempt.latency_ms} ms (${known.join(' · ')})`;
}

/** Every event that an endpoint can be sent, in the order in which they are read. */
export const events: readonly WebhookEventName[] = [
  ...(['deposit.pending', 'deposit.partially_paid', 'deposit.paid', 'deposit.expired'] as const),
  ...(['deposit.canceled', 'deposit.refunded', 'refund.done', 'refund.failed'] as const),
  ...(['payout.pending', 'payout.processing', 'payout.paid', 'payout.failed'] as const),
  ...(['payout.canceled', 'payout.returned'] as const),
  ...(['med.opened', 'med.under_analysis', 'med.won', 'med.lost'] as const),
  ...(['conversion.completed', 'export.completed', 'webhook.failing', 'webhook.disabled'] as const),
];
