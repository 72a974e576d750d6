import type { PayoutInput } from '@gateway/providers';
import type { PayoutRow } from '#src/payout/payout-entity.ts';

/** What the provider is asked for; follows from the record alone, so that every retry asks the same. */
export function payoutInputOf(payout: PayoutRow): PayoutInput {
  const { currency, sentAt, createdAt, recipient } = payout;
  if (currency === 'USDT') throw new Error('no rail moves USDT');
  return {
    ref: payout.reference,
    // A restored database may have forgotten when it set out; it was not before it was created.
    sentAt: sentAt ?? createdAt,
    money: { currency, amount: payout.amount },
    destination: { type: payout.keyType, value: payout.key },
    recipient: { name: recipient.name, document: recipient.document },
    verifyOwner: payout.verifyOwner,
  };
}
