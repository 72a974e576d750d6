import { available, providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/** available +part, provider −part; the parts never add up to more than the payout. */
export const returnPayout: Rule<'return-payout'> = (command, view) => {
  const payout = referenceOf(view, 'payout', command.payoutId, command);
  if (isRefusal(payout)) return payout;
  const returned = payout.returned + command.amount;
  if (returned > payout.amount) return refuse('exceeds_reference');
  if (payout.state !== 'settled') return refuse('invalid_state');
  return {
    postings: [
      available(command, command.amount, { type: 'PAYOUT_RETURN', refType: 'payout', refId: payout.id }),
      system(providerAccount(command.provider), command.currency, -command.amount),
    ],
    references: [{ ...payout, returned }],
  };
};
