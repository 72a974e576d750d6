import type { LedgerCommand, LedgerCommandOf, LedgerResult } from '@gateway/contracts/ledger';
import type { Tx } from '@gateway/persistence';
import { InsufficientFundsError, RefundExceedsAmountError } from '#src/errors.ts';
import { transitionRefund, lockRefund, moveRefund, takeComeBack } from '#src/refund/move-refund.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

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

const ledgerTimeoutMs = 5_000;

/**
 * The provider will not send it, or it has come back: the money goes back to the balance. Where the provider is found to have
 * sent it while that is asked for, the balance pays again afterwards.
 */
export async function reverseRefund(dependencies: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  const id = `reverse-refund:${refund.id}${stepOf(refund)}`;
  await carryOut(dependencies, { kind: 'reverse-refund', id, ...common(refund) });
  const { database, now } = dependencies;
  return await database.transaction(async (tx) => {
    const row = await lockRefund(tx, refund, true);
    // Another process may have gone on to the next reversal, which the ledger has not heard of.
    if (row.state !== 'REVERSING' || stepOf(row) !== stepOf(refund)) return row;
    if (row.returnId) {
      await transitionRefund(tx, row, 'reversedAlthoughDone', { nextAttemptAt: now() }, now());
    } else {
      await transitionRefund(tx, row, 'reversed', {}, now());
      await extendDisputes(tx, row, now());
    }
    return row;
  });
}

/** What the refund stood in the way of is due to the disputes of its deposit; their sweeper asks the ledger for it. */
async function extendDisputes(tx: Tx, { environment, accountId, depositId, id }: RefundRow, now: Date) {
  await tx.sql(
    `update dispute set extended_by = $4, step_since = coalesce(step_since, $5), next_attempt_at = $5
     where environment = $1 and account_id = $2 and deposit_id = $3 and state <> 'WON'`,
    [environment, accountId, depositId, id, now],
  );
}

/**
 * The payer has what the merchant was given back: takes it out of the balance again. What the balance does not cover the
 * account owes, and later credits pay it. Where it was found to have come back while that is asked for, the balance is
 * credited again afterwards.
 */
export async function redebitRefund(dependencies: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  const id = `redebit-refund:${refund.id}${stepOf(refund)}`;
  await carryOut(dependencies, { kind: 'redebit-refund', id, ...common(refund) });
  const { database, now } = dependencies;
  return await database.transaction(async (tx) => {
    const row = await lockRefund(tx, refund, true);
    if (row.state !== 'REDEBITING' || stepOf(row) !== stepOf(refund)) return row;
    const { comeBack } = row;
    await transitionRefund(tx, row, 'redebited', { failureReason: null, failureMessage: null }, now());
    if (comeBack) await takeComeBack(tx, row, comeBack, now());
    return row;
  });
}

/** What follows a come-back is another step than what went before: the ledger answers the same to the same id. */
function stepOf({ cameBackAt, comeBacks }: RefundRow): string {
  if (!cameBackAt) return '';
  return comeBacks > 1 ? `:returned-${comeBacks}` : ':returned';
}

async function carryOut({ askLedger }: RoutingDependencies, command: LedgerCommand): Promise<void> {
  const { outcome, refusal, field } = await askLedger(command, ledgerTimeoutMs);
  if (outcome === 'applied') return;
  throw new Error(`the ledger refuses ${command.id}: ${outcome} ${refusal ?? field ?? ''}`);
}

function common({ environment, accountId, currency, depositId, id: refundId, provider, amount }: RefundRow) {
  return { environment, accountId, currency, depositId, refundId, provider, amount };
}
