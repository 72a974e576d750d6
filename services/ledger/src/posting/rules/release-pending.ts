import { available, pending } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/** pending −net, available +net. */
export const releasePending: Rule<'release-pending'> = (command, view) => {
  const deposit = referenceOf(view, 'deposit', command.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (command.amount > deposit.pending) return refuse(deposit.pending === 0 ? 'invalid_state' : 'exceeds_reference');
  return {
    postings: [
      pending(command, -command.amount),
      available(command, command.amount, { type: 'DEPOSIT_NET', refType: 'deposit', refId: deposit.id }),
    ],
    references: [{ ...deposit, pending: deposit.pending - command.amount }],
  };
};
