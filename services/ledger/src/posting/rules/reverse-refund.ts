import { available, providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/** available +amount, provider −amount; the deposit may be refunded again. */
export const reverseRefund: Rule<'reverse-refund'> = (command, view) => {
  const refund = referenceOf(view, 'refund', command.refundId, command);
  if (isRefusal(refund)) return refund;
  const deposit = referenceOf(view, 'deposit', command.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (refund.depositId !== deposit.id) return refuse('unknown_reference');
  if (command.amount !== refund.amount) return refuse('exceeds_reference');
  if (refund.state !== 'reserved') return refuse('invalid_state');
  return {
    postings: [
      available(command, command.amount, { type: 'DEPOSIT_REFUND', refType: 'refund', refId: refund.id }),
      system(providerAccount(command.provider), command.currency, -command.amount),
    ],
    references: [
      { ...refund, state: 'reversed' },
      { ...deposit, committed: deposit.committed - command.amount },
    ],
  };
};
