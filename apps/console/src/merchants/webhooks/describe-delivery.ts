import type { Delivery } from '#src/generated/merchants/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What a delivery's state means for its reader. */
export const toneOf: Readonly<Record<Delivery['status'], Tone>> = {
  PENDING: 'wait',
  DELIVERED: 'good',
  FAILED: 'bad',
};

/** What the receiver answered last: its status, or why there was none. */
export function answerOf({ response_status: status, error }: Pick<Delivery, 'response_status' | 'error'>): string {
  if (error !== null) return status === null ? error : `${status} · ${error}`;
  return status === null ? '–' : String(status);
}
