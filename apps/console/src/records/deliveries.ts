import type { Delivery, DeliveryAttempt, Webhook } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

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

/** What only repeats the status beside it. */
const statusAgain = /^http_[1-5]xx$/;

/** What the receiver answered last: its status, and what else went wrong, or why there was no answer. */
export function answerOf({
  response_status: status,
  error,
}: Pick<Delivery | DeliveryAttempt, 'response_status' | 'error'>): string {
  if (status === null) return error ?? '–';
  return error === null || statusAgain.test(error) ? String(status) : `${status} · ${error}`;
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
