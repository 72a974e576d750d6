import { asked, type Asked, type Told } from '#src/certainty.ts';
import type { ChargeReceipt } from '#src/charges.ts';
import type { ProviderEvent } from '#src/notifications.ts';

/** The payment that an event of a list tells, as certain as the event. */
export function receiptOfEvent({
  e2eId,
  money,
  at: paidAt,
  payer,
}: Told<'asked', Extract<ProviderEvent, { type: 'charge.paid' }>>): Asked<ChargeReceipt> {
  return asked({ e2eId, money, paidAt, ...(payer ? { payer } : {}) });
}
