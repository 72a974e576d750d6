import { available, payoutTransit, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/**
 * available −(amount + fee), transit +amount, fees +fee. A reversed payout may be debited again: its rail confirmed it
 * after the reversal (design.md 6).
 */
export const debitPayout: Rule<'debit-payout'> = (command, view) => {
  if (view.reference(command.payoutId)) {
    const earlier = referenceOf(view, 'payout', command.payoutId, command);
    if (isRefusal(earlier)) return earlier;
    if (earlier.state !== 'reversed') return refuse('invalid_state');
  }
  const ref = { refType: 'payout', refId: command.payoutId } as const;
  return {
    postings: [
      available(command, -command.amount, { type: 'PAYOUT', ...ref }),
      available(command, -command.fee, { type: 'PAYOUT_FEE', ...ref }),
      system(payoutTransit, command.currency, command.amount),
      system('fees', command.currency, command.fee),
    ],
    references: [
      {
        kind: 'payout',
        id: command.payoutId,
        accountId: command.accountId,
        currency: command.currency,
        amount: command.amount,
        fee: command.fee,
        state: 'debited',
        returned: 0,
        shortfall: 0,
      },
    ],
  };
};
