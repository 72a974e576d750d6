import { available, providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/**
 * A lost dispute that was won after all: what had gone to the payer, captured credits included, is credited from the
 * provider, the shortfall is dropped, and the deposit may be refunded again.
 */
export const overturnDispute: Rule<'overturn-dispute'> = (command, view) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  const deposit = referenceOf(view, 'deposit', dispute.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (dispute.state !== 'lost') return refuse('invalid_state');
  const { returned } = dispute;
  return {
    postings: [
      available(command, returned, { type: 'MED_RELEASE', refType: 'dispute', refId: dispute.id }),
      system(providerAccount(command.provider), command.currency, -returned),
    ],
    references: [
      { ...dispute, state: 'won', shortfall: 0, returned: 0 },
      { ...deposit, committed: deposit.committed - dispute.amount },
    ],
    amounts: { released: returned },
  };
};
