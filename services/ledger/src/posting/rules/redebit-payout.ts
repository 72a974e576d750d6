import { paymentFor, receivables } from '#src/posting/debt.ts';
import { providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/**
 * available −what is there, receivables −the rest, fees +fee, provider +amount. The rail has paid already, so the
 * command is never refused for the balance; the rest is a shortfall that later credits pay.
 */
export const redebitPayout: Rule<'redebit-payout'> = (command, view) => {
  const payout = referenceOf(view, 'payout', command.payoutId, command);
  if (isRefusal(payout)) return payout;
  if (command.amount !== payout.amount || command.fee !== payout.fee) return refuse('exceeds_reference');
  if (payout.state !== 'reversed') return refuse('invalid_state');
  const owed = command.amount + command.fee;
  const debited = Math.min(owed, view.bucketsOf(command.accountId, command.currency).available);
  const shortfall = owed - debited;
  return {
    postings: [
      ...paymentFor(payout, owed, debited),
      system(receivables, command.currency, -shortfall),
      system('fees', command.currency, command.fee),
      system(providerAccount(command.provider), command.currency, command.amount),
    ],
    references: [{ ...payout, state: 'settled', shortfall }],
    amounts: { debited, shortfall },
  };
};
