import type { PayoutInput } from '@gateway/providers';
import type { PayoutRow } from '#src/payout/payout-entity.ts';

/** What the provider is asked for; follows from the record alone, so that every retry asks the same. */
export function payoutInputOf(payout: PayoutRow): PayoutInput {
  const { currency, sentAt, recipient } = payout;
  if (currency === 'USDT') throw new Error('no rail moves USDT');
  if (!sentAt) throw new Error(`payout ${payout.id} has not set out yet`);
  return {
    ref: payout.reference,
    sentAt,
    money: { currency, amount: payout.amount },
    destination: { type: payout.keyType, value: payout.key },
    recipient: { name: recipient.name, document: recipient.document },
    verifyOwner: payout.verifyOwner,
  };
}
