import { available, payoutTransit, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/** available +(amount + fee), transit −amount, fees −fee. */
export const reversePayout: Rule<'reverse-payout'> = (command, view) => {
  const payout = referenceOf(view, 'payout', command.payoutId, command);
  if (isRefusal(payout)) return payout;
  if (command.amount !== payout.amount || command.fee !== payout.fee) return refuse('exceeds_reference');
  if (payout.state !== 'debited') return refuse('invalid_state');
  const ref = { refType: 'payout', refId: payout.id } as const;
  return {
    postings: [
      available(command, command.amount, { type: 'PAYOUT_REVERSAL', ...ref }),
      available(command, command.fee, { type: 'PAYOUT_FEE_REVERSAL', ...ref }),
      system(payoutTransit, command.currency, -command.amount),
      system('fees', command.currency, -command.fee),
    ],
    references: [{ ...payout, state: 'reversed' }],
  };
};
