import type { LedgerCommandOf } from '@gateway/contracts/ledger';
import { paymentFor, receivables } from '#src/posting/debt.ts';
import { available, providerAccount, system } from '#src/posting/posting.ts';
import type { ReferenceOf } from '#src/posting/reference.ts';
import { isRefusal, type LedgerView, referenceOf, type Refusal, refuse, type Rule } from '#src/posting/rule.ts';

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

/**
 * available +amount, provider −amount; the deposit may be refunded again. Of one that had been redebited and came back, what
 * the account still owes is no longer owed instead: available +what was debited, receivables +the rest.
 */
export const reverseRefund: Rule<'reverse-refund'> = (command, view) => {
  const found = refundIn(['reserved', 'redebited'], command, view);
  if (isRefusal(found)) return found;
  const { refund, deposit } = found;
  const debited = command.amount - refund.shortfall;
  return {
    postings: [
      available(command, debited, { type: 'DEPOSIT_REFUND', refType: 'refund', refId: refund.id }),
      system(receivables, command.currency, refund.shortfall),
      system(providerAccount(command.provider), command.currency, -command.amount),
    ],
    references: [
      { ...refund, state: 'reversed', shortfall: 0 },
      { ...deposit, committed: deposit.committed - command.amount },
    ],
  };
};

/**
 * available −what is there, receivables −the rest, provider +amount. When the deposit has been refunded another way
 * since, more has gone back than was paid, and `committed` exceeds its amount.
 */
export const redebitRefund: Rule<'redebit-refund'> = (command, view) => {
  const found = refundIn(['reversed'], command, view);
  if (isRefusal(found)) return found;
  const { refund, deposit } = found;
  const debited = Math.min(command.amount, view.bucketsOf(command.accountId, command.currency).available);
  const shortfall = command.amount - debited;
  return {
    postings: [
      ...paymentFor(refund, command.amount, debited),
      system(receivables, command.currency, -shortfall),
      system(providerAccount(command.provider), command.currency, command.amount),
    ],
    references: [
      { ...refund, state: 'redebited', shortfall },
      { ...deposit, committed: deposit.committed + command.amount },
    ],
    amounts: { debited, shortfall },
  };
};

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

/** The refund that a command is about, with its deposit: the whole of it, in a state that the command follows on. */
function refundIn(
  states: readonly ReferenceOf<'refund'>['state'][],
  command: LedgerCommandOf<'reverse-refund' | 'redebit-refund'>,
  view: LedgerView,
): Refusal | { readonly refund: ReferenceOf<'refund'>; readonly deposit: ReferenceOf<'deposit'> } {
  const refund = referenceOf(view, 'refund', command.refundId, command);
  if (isRefusal(refund)) return refund;
  const deposit = referenceOf(view, 'deposit', command.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (refund.depositId !== deposit.id) return refuse('unknown_reference');
  if (command.amount !== refund.amount) return refuse('exceeds_reference');
  if (!states.includes(refund.state)) return refuse('invalid_state');
  return { refund, deposit };
}
