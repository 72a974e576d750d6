import type { LedgerCommand } from '@gateway/contracts/ledger';
import type { Tx } from '@gateway/persistence';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';
import { followRefund, lockRefund, moveRefund } from '#src/refund/move-refund.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';

const ledgerTimeoutMs = 5_000;

/**
 * The provider will not send it: the money goes back to the balance. Where the provider is found to have sent it while
 * that is asked for, the balance pays again afterwards.
 */
export async function reverseRefund(dependencies: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  const id = `reverse-refund:${refund.id}`;
  await carryOut(dependencies, { kind: 'reverse-refund', id, ...common(refund) });
  const { database, now } = dependencies;
  return await database.transaction(async (tx) => {
    const row = await lockRefund(tx, refund, true);
    if (row.state !== 'REVERSING') return row;
    if (row.returnId) {
      await followRefund(tx, row, 'reversedAlthoughDone', { nextAttemptAt: now() }, now());
    } else {
      await followRefund(tx, row, 'reversed', {}, now());
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
 * account owes, and later credits pay it.
 */
export async function redebitRefund(dependencies: RoutingDependencies, refund: RefundRow): Promise<RefundRow> {
  await carryOut(dependencies, { kind: 'redebit-refund', id: `redebit-refund:${refund.id}`, ...common(refund) });
  return await moveRefund(dependencies, refund, 'redebited', { failureReason: null, failureMessage: null });
}

async function carryOut({ askLedger }: RoutingDependencies, command: LedgerCommand): Promise<void> {
  const { outcome, refusal, field } = await askLedger(command, ledgerTimeoutMs);
  if (outcome === 'applied') return;
  throw new Error(`the ledger refuses ${command.id}: ${outcome} ${refusal ?? field ?? ''}`);
}

function common({ environment, accountId, currency, depositId, id: refundId, provider, amount }: RefundRow) {
  return { environment, accountId, currency, depositId, refundId, provider, amount };
}
