import { providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/** suspense −amount, provider +amount. */
export const returnReceipt: Rule<'return-receipt'> = (command, view) => {
  const receipt = referenceOf(view, 'refund', command.refundId, command);
  if (isRefusal(receipt)) return receipt;
  if (command.amount !== receipt.amount) return refuse('exceeds_reference');
  if (receipt.state !== 'held') return refuse('invalid_state');
  return {
    postings: [
      system('suspense', command.currency, -command.amount),
      system(providerAccount(command.provider), command.currency, command.amount),
    ],
    references: [{ ...receipt, state: 'returned' }],
  };
};
