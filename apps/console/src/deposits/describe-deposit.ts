import type { OperatorDeposit, ReceivedPayment } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What a deposit's state means for its reader. */
export const toneOf: Readonly<Record<OperatorDeposit['status'], Tone>> = {
  PENDING: 'wait',
  PAID: 'good',
  EXPIRED: 'neutral',
  REFUNDED: 'neutral',
  FAILED: 'bad',
};

/** What has become of a payment that arrived. */
export const paymentToneOf: Readonly<Record<ReceivedPayment['state'], Tone>> = {
  RECEIVED: 'wait',
  CREDITED: 'good',
  REFUSED: 'bad',
};
