import { blocked, providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/verdict.ts';

/** Lost: what is blocked leaves through the provider; a shortfall stays due and follows from later credits. */
export const returnDispute: Rule<'return-dispute'> = (command, view) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  if (dispute.state !== 'open') return refuse('invalid_state');
  const returned = dispute.blocked;
  return {
    postings: [blocked(command, -returned), system(providerAccount(command.provider), command.currency, returned)],
    references: [{ ...dispute, state: 'lost', blocked: 0, returned, provider: command.provider }],
    amounts: { returned, shortfall: dispute.shortfall },
  };
};
