import { available, blocked, providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/**
 * Lost: what is blocked leaves through the provider; a shortfall stays due and is paid by later credits. Of a dispute
 * that is lost in part, the rest goes back to available and can be refunded again. Both are one transaction, so that
 * money that has to leave cannot be spent in between.
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
