import { paymentFor, receivables } from '#src/posting/debt.ts';
import { providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/**
 * available −what is there, receivables −the rest, provider +amount. When the deposit has been refunded another way
 * since, more has gone back than was paid, and `committed` exceeds its amount.
 */
export const redebitRefund: Rule<'redebit-refund'> = (command, view) => {
  const refund = referenceOf(view, 'refund', command.refundId, command);
  if (isRefusal(refund)) return refund;
  const deposit = referenceOf(view, 'deposit', command.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (refund.depositId !== deposit.id) return refuse('unknown_reference');
  if (command.amount !== refund.amount) return refuse('exceeds_reference');
  if (refund.state !== 'reversed') return refuse('invalid_state');
  const debited = Math.min(command.amount, view.bucketsOf(command.accountId, command.currency).available);
  const shortfall = command.amount - debited;
  return {
    postings: [
      ...paymentFor(refund, command.amount, debited),
      system(receivables, command.currency, -shortfall),
      system(providerAccount(command.provider), command.currency, command.amount),
    ],
    references: [
      { ...refund, state: 'redebited', shortfall },
      { ...deposit, committed: deposit.committed + command.amount },
    ],
    amounts: { debited, shortfall },
  };
};
