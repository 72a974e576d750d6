import { providerAccount, system } from '#src/posting/posting.ts';
import { refuse, type Rule } from '#src/posting/rule.ts';

/** provider −amount, suspense +amount: the money is at the provider and belongs to no merchant. */
export const holdReceipt: Rule<'hold-receipt'> = (command, view) => {
  if (view.reference(command.refundId)) return refuse('invalid_state');
  return {
    postings: [
      system(providerAccount(command.provider), command.currency, -command.amount),
      system('suspense', command.currency, command.amount),
    ],
    references: [
      {
        kind: 'refund',
        id: command.refundId,
        accountId: command.accountId,
        currency: command.currency,
        amount: command.amount,
        depositId: command.depositId,
        state: 'held',
        shortfall: 0,
      },
    ],
  };
};
