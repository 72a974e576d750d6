import { payoutTransit, providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/** transit −amount, provider +amount. */
export const settlePayout: Rule<'settle-payout'> = (command, view) => {
  const payout = referenceOf(view, 'payout', command.payoutId, command);
  if (isRefusal(payout)) return payout;
  if (command.amount !== payout.amount) return refuse('exceeds_reference');
  if (payout.state !== 'debited') return refuse('invalid_state');
  return {
    postings: [
      system(payoutTransit, command.currency, -command.amount),
      system(providerAccount(command.provider), command.currency, command.amount),
    ],
    references: [{ ...payout, state: 'settled' }],
  };
};
