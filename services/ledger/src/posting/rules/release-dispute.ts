import { available, blocked } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/** Won: what is blocked goes back to available, the shortfall is dropped, the deposit may be refunded again. */
export const releaseDispute: Rule<'release-dispute'> = (command, view) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  const deposit = referenceOf(view, 'deposit', dispute.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (dispute.state !== 'open') return refuse('invalid_state');
  const released = dispute.blocked;
  return {
    postings: [
      blocked(command, -released),
      available(command, released, { type: 'MED_RELEASE', refType: 'dispute', refId: dispute.id }),
    ],
    references: [
      { ...dispute, state: 'won', blocked: 0, shortfall: 0 },
      { ...deposit, committed: deposit.committed - dispute.amount },
    ],
    amounts: { released },
  };
};
