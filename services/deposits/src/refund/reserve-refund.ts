import type { LedgerCommandOf, LedgerResult } from '@gateway/contracts/ledger';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';
import { InsufficientFundsError, RefundExceedsAmountError } from '#src/errors.ts';
import { moveRefund } from '#src/refund/move-refund.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';

/**
 * Takes the money out of the merchant's balance. Repeatable: the command follows from the record alone.
 *
 * @throws DomainError REFUND_EXCEEDS_AMOUNT or INSUFFICIENT_FUNDS; the record is gone and its external_id free
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer in time; the sweeper asks again
 */
export async function reserveRefund(
  dependencies: RoutingDependencies,
  refund: RefundRow,
  timeoutMs: number,
): Promise<RefundRow> {
  const result = await dependencies.askLedger(refundCommandOf(refund), timeoutMs);
  if (result.outcome === 'applied') return await moveRefund(dependencies, refund, 'reserved', {});
  const { environment, accountId, id } = refund;
  await dependencies.database.query(
    `delete from refund where environment = $1 and account_id = $2 and id = $3 and state = 'RESERVING'`,
    [environment, accountId, id],
  );
  throw refusalOf(refund, result);
}

function refundCommandOf(refund: RefundRow): LedgerCommandOf<'refund-deposit'> {
  return {
    kind: 'refund-deposit',
    id: `refund-deposit:${refund.id}`,
    environment: refund.environment,
    accountId: refund.accountId,
    currency: refund.currency,
    depositId: refund.depositId,
    refundId: refund.id,
    provider: refund.provider,
    amount: refund.amount,
    depositAmount: refund.depositAmount,
  };
}

function refusalOf(refund: RefundRow, { outcome, refusal, field }: LedgerResult): Error {
  if (refusal === 'insufficient_funds') return new InsufficientFundsError();
  if (refusal === 'exceeds_reference') return new RefundExceedsAmountError(null);
  return new Error(`the ledger refuses to reserve ${refund.id}: ${outcome} ${refusal ?? field ?? ''}`);
}
