import { available, blocked, providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/verdict.ts';

/**
 * Lost: what is blocked leaves through the provider; a shortfall stays due and follows from later credits. Of one that is
 * lost in part, the rest goes back to available and the deposit may be refunded by it again: in one transaction, so that
 * nobody can spend in between what has to leave.
 */
export const returnDispute: Rule<'return-dispute'> = (command, view) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  const deposit = referenceOf(view, 'deposit', dispute.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (dispute.state !== 'open') return refuse('invalid_state');
  const { provider } = command;
  const amount = Math.min(command.amount ?? dispute.amount, dispute.amount);
  const returned = Math.min(dispute.blocked, amount);
  const released = dispute.blocked - returned;
  const shortfall = Math.min(dispute.shortfall, amount - returned);
  return {
    postings: [
      blocked(command, -dispute.blocked),
      system(providerAccount(provider), command.currency, returned),
      available(command, released, { type: 'MED_RELEASE', refType: 'dispute', refId: dispute.id }),
    ],
    references: [
      { ...dispute, amount, state: 'lost', blocked: 0, shortfall, returned, provider },
      { ...deposit, committed: deposit.committed - (dispute.amount - amount) },
    ],
    amounts: { returned, shortfall, released },
  };
};
