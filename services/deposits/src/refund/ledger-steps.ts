import type { LedgerCommand, LedgerCommandOf } from '@gateway/contracts/ledger';
import type { Tx } from '@gateway/persistence';
import { transitionRefund, lockRefund, takeComeBack } from '#src/refund/move-refund.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

export const ledgerTimeoutMs = 5_000;

/**
 * The provider will not send it, or it has come back: the money goes back to the balance. Where the provider is found to have
 * sent it while that is asked for, the balance pays again afterwards.
 */
export async function reverseRefund(dependencies: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  await askForReversal(dependencies, refund);
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

/** Has the ledger give back what is reserved, or was debited again. Repeatable: the command follows from the record alone. */
export async function askForReversal(dependencies: RoutingDependencies, refund: RefundRow): Promise<void> {
  const id = `reverse-refund:${refund.id}${stepOf(refund)}`;
  await carryOut(dependencies, { kind: 'reverse-refund', id, ...common(refund) });
}

/** What the refund stood in the way of is due to the disputes of its deposit; their sweeper asks the ledger for it. */
export async function extendDisputes(tx: Tx, { environment, accountId, depositId, id }: RefundRow, now: Date) {
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
  await debitUnlessDebited(dependencies, { kind: 'redebit-refund', id, ...common(refund) });
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

/**
 * Of a refund that is found to be done while it is on record as under way. A restored database may have forgotten that it had
 * failed and was given back: where the ledger knows that, the balance pays again. The times on record are never later than
 * the database's.
 */
export async function debitIfForgotten(dependencies: RoutingDependencies, refund: RefundRow): Promise<void> {
  const since = await dependencies.rememberedSince();
  if ((refund.calledAt ?? refund.createdAt) > since) return;
  const id = `redebit-refund:${refund.id}:restored-${Math.floor(since.getTime() / 1_000)}`;
  await debitUnlessDebited(dependencies, { kind: 'redebit-refund', id, ...common(refund) });
}

/** The ledger refuses what is reserved, or debited again, already: by an older release's step, or in what was forgotten. */
async function debitUnlessDebited(
  { askLedger }: RoutingDependencies,
  command: LedgerCommandOf<'redebit-refund'>,
): Promise<void> {
  const { outcome, refusal, field } = await askLedger(command, ledgerTimeoutMs);
  if (outcome === 'applied' || (outcome === 'refused' && refusal === 'invalid_state')) return;
  throw new Error(`the ledger refuses ${command.id}: ${outcome} ${refusal ?? field ?? ''}`);
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
