import { available, blocked, providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/**
 * A refund that had reduced what a dispute could claim has failed: the difference is due now. It is taken from
 * available as far as the balance goes, and from later credits while the dispute's time lasts. For a lost dispute it
 * goes to the payer. Nothing is posted where the dispute was won or covers the whole amount already.
 */
export const extendDispute: Rule<'extend-dispute'> = (command, view, atMs) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  const deposit = referenceOf(view, 'deposit', dispute.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (command.amount > deposit.amount) return refuse('exceeds_reference');
  const left = Math.max(deposit.amount - deposit.committed, 0);
  const isOver = dispute.state === 'won' || atMs >= dispute.captureUntil * 1_000;
  const extra = isOver ? 0 : Math.min(Math.max(command.amount - dispute.amount, 0), left);
  if (extra === 0) return { postings: [], references: [], amounts: { extended: 0 } };
  const covered = Math.min(extra, view.bucketsOf(command.accountId, command.currency).available);
  const isLost = dispute.state === 'lost' && dispute.provider !== null;
  const extended = { amount: dispute.amount + extra, shortfall: dispute.shortfall + extra - covered };
  const holds = isLost ? { returned: dispute.returned + covered } : { blocked: dispute.blocked + covered };
  return {
    postings: [
      available(command, -covered, { type: 'MED_BLOCK', refType: 'dispute', refId: dispute.id }),
      isLost ? system(providerAccount(dispute.provider), command.currency, covered) : blocked(command, covered),
    ],
    references: [
      { ...dispute, ...extended, ...holds },
      { ...deposit, committed: deposit.committed + extra },
    ],
    amounts: { extended: extra },
  };
};
