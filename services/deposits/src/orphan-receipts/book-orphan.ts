import { LockMode } from '@mikro-orm/core';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import type { Tx } from '@gateway/persistence';
import { OrphanReceiptEntity, type OrphanReceiptRow } from '#src/orphan-receipts/orphan-receipt.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

const ledgerTimeoutMs = 5_000;

/** The receipt, locked until the transaction ends. */
export async function lockOrphan(tx: Tx, { environment, provider, e2eId }: OrphanReceiptRow) {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  return await tx.em.findOneOrFail(OrphanReceiptEntity, { environment, provider, e2eId }, lock);
}

/**
 * Books one that is known to have gone back, then ends it. Repeatable: the sweeper continues where a process
 * died, or the ledger did not answer.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer in time
 */
export async function bookOrphan(
  dependencies: RoutingDependencies,
  orphan: OrphanReceiptRow,
): Promise<OrphanReceiptRow> {
  if (orphan.state !== 'BOOKING') return orphan;
  await holdReceipt(dependencies, orphan);
  await bookReturn(dependencies, orphan);
  return await dependencies.database.transaction(async (tx) => {
    const row = await lockOrphan(tx, orphan);
    const solved = row.attention === 'overdue' ? ({ attentionAt: null, attention: null } as const) : {};
    if (row.state === 'BOOKING') tx.em.assign(row, { ...solved, state: 'RETURNED', nextAttemptAt: null });
    return row;
  });
}

/**
 * The money is at the provider and belongs to no merchant: booked there and in suspense. Repeatable, as everything the ledger is asked.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer in time
 */
export async function holdReceipt(dependencies: RoutingDependencies, orphan: OrphanReceiptRow): Promise<void> {
  const { depositId } = orphan;
  await carryOut(dependencies, {
    kind: 'hold-receipt',
    id: `hold-receipt:${orphan.id}`,
    ...common(orphan),
    depositId,
  });
}

/** The money has left the provider for its payer: out of suspense. */
async function bookReturn(dependencies: RoutingDependencies, orphan: OrphanReceiptRow): Promise<void> {
  await carryOut(dependencies, { kind: 'return-receipt', id: `return-receipt:${orphan.id}`, ...common(orphan) });
}

async function carryOut({ askLedger }: RoutingDependencies, command: LedgerCommand): Promise<void> {
  const { outcome, refusal, field } = await askLedger(command, ledgerTimeoutMs);
  if (outcome === 'applied') return;
  throw new Error(`the ledger refuses ${command.id}: ${outcome} ${refusal ?? field ?? ''}`);
}

function common({ environment, accountId, currency, id: refundId, provider, amount }: OrphanReceiptRow) {
  return { environment, accountId, currency, refundId, provider, amount };
}
