import { available, blocked } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/**
 * available → blocked, as far as the balance goes; the rest is a shortfall that later credits pay. At most what has not
 * gone back to the payer another way.
 */
export const blockDispute: Rule<'block-dispute'> = (command, view) => {
  const deposit = referenceOf(view, 'deposit', command.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (command.amount > deposit.amount) return refuse('exceeds_reference');
  if (view.reference(command.disputeId)) return refuse('invalid_state');
  const due = Math.min(command.amount, Math.max(deposit.amount - deposit.committed, 0));
  const covered = Math.min(due, view.bucketsOf(command.accountId, command.currency).available);
  return {
    postings: [
      available(command, -covered, { type: 'MED_BLOCK', refType: 'dispute', refId: command.disputeId }),
      blocked(command, covered),
    ],
    references: [
      { ...deposit, committed: deposit.committed + due },
      {
        kind: 'dispute',
        id: command.disputeId,
        accountId: command.accountId,
        currency: command.currency,
        amount: due,
        depositId: deposit.id,
        state: 'open',
        blocked: covered,
        shortfall: due - covered,
        captureUntil: command.captureUntil,
        returned: 0,
        provider: null,
      },
    ],
    amounts: { blocked: covered },
  };
};
