import { available, pending, providerAccount, system, type Posting } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/** available +net (with retention: pending +net), fees +fee, provider −amount. A deposit is credited once. */
export const creditDeposit: Rule<'credit-deposit'> = (command, view) => {
  if (view.reference(command.depositId)) return refuse('invalid_state');
  const net = command.amount - command.fee;
  const retained = command.releaseAt !== null;
  const entry = { type: 'DEPOSIT_NET', refType: 'deposit', refId: command.depositId } as const;
  const credit: Posting = retained ? pending(command, net) : available(command, net, entry);
  return {
    postings: [
      credit,
      system('fees', command.currency, command.fee),
      system(providerAccount(command.provider), command.currency, -command.amount),
    ],
    references: [
      {
        kind: 'deposit',
        id: command.depositId,
        accountId: command.accountId,
        currency: command.currency,
        amount: command.amount,
        pending: retained ? net : 0,
        releaseAt: command.releaseAt,
        committed: 0,
      },
    ],
  };
};

/** pending −net, available +net. */
export const releasePending: Rule<'release-pending'> = (command, view) => {
  const deposit = referenceOf(view, 'deposit', command.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (command.amount > deposit.pending) return refuse(deposit.pending === 0 ? 'invalid_state' : 'exceeds_reference');
  return {
    postings: [
      pending(command, -command.amount),
      available(command, command.amount, { type: 'DEPOSIT_NET', refType: 'deposit', refId: deposit.id }),
    ],
    references: [{ ...deposit, pending: deposit.pending - command.amount }],
  };
};
