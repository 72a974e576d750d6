import { paymentFor, receivables } from '#src/posting/debt.ts';
import { available, payoutTransit, providerAccount, system } from '#src/posting/posting.ts';
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

/**
 * available −what is there, receivables −the rest, fees +fee, provider +amount. The rail has paid already, so the
 * command is never refused for the balance; the rest is a shortfall that later credits pay.
 */
export const redebitPayout: Rule<'redebit-payout'> = (command, view) => {
  const payout = referenceOf(view, 'payout', command.payoutId, command);
  if (isRefusal(payout)) return payout;
  if (command.amount !== payout.amount || command.fee !== payout.fee) return refuse('exceeds_reference');
  if (payout.state !== 'reversed') return refuse('invalid_state');
  const owed = command.amount + command.fee;
  const debited = Math.min(owed, view.bucketsOf(command.accountId, command.currency).available);
  const shortfall = owed - debited;
  return {
    postings: [
      ...paymentFor(payout, owed, debited),
      system(receivables, command.currency, -shortfall),
      system('fees', command.currency, command.fee),
      system(providerAccount(command.provider), command.currency, command.amount),
    ],
    references: [{ ...payout, state: 'settled', shortfall }],
    amounts: { debited, shortfall },
  };
};

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
