import type { LedgerCommand } from '@gateway/contracts/ledger';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';
import type { OrphanReceiptRow } from '#src/orphan-receipts/orphan-receipt-entity.ts';

const ledgerTimeoutMs = 5_000;

/**
 * The money is at the provider and nobody's: booked there and in suspense. Repeatable, as everything the ledger is asked.
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
export async function bookReturn(dependencies: RoutingDependencies, orphan: OrphanReceiptRow): Promise<void> {
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
