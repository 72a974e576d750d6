import { available, providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/** available −amount, provider +amount, unless refunds and disputes together would exceed what was paid. */
export const refundDeposit: Rule<'refund-deposit'> = (command, view) => {
  const deposit = referenceOf(view, 'deposit', command.depositId, command);
  if (isRefusal(deposit)) return deposit;
  const committed = deposit.committed + command.amount;
  if (committed > Math.min(deposit.amount, command.depositAmount)) return refuse('exceeds_reference');
  if (view.reference(command.refundId)) return refuse('invalid_state');
  return {
    postings: [
      available(command, -command.amount, { type: 'DEPOSIT_REFUND', refType: 'refund', refId: command.refundId }),
      system(providerAccount(command.provider), command.currency, command.amount),
    ],
    references: [
      { ...deposit, committed },
      {
        kind: 'refund',
        id: command.refundId,
        accountId: command.accountId,
        currency: command.currency,
        amount: command.amount,
        depositId: deposit.id,
        state: 'reserved',
        shortfall: 0,
      },
    ],
  };
};
