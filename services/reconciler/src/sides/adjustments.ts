import type { Environment } from '@gateway/contracts/values';
import { RowArrays, type Tx } from '@gateway/persistence';
import type { SoundLink } from '#src/sides/check-links.ts';

/** An adjustment that the ledger has booked, or a transfer of our own. */
export interface BookedAdjustment {
  readonly environment: Environment;
  /** Under which it was proposed. */
  readonly id: string;
  readonly accountId: string;
  readonly currency: string;
  readonly amount: number;
  readonly decidedAt: Date;
}

export const adjustmentArrays = new RowArrays<keyof BookedAdjustment>([
  ['environment', 'text'],
  ['id', 'text'],
  ['accountId', 'text'],
  ['currency', 'text'],
  ['amount', 'bigint'],
  ['decidedAt', 'timestamptz'],
]);

/** What the ledger books because two operators have decided it. */
const byPeople: readonly string[] = ['adjust', 'own-funds'];

/**
 * Remembers the adjustments among decisions, to be compared with the audit trail. Commands of two kinds may name one approval:
 * what each of them has booked is compared with it.
 */
export async function keepAdjustments(tx: Tx, environment: Environment, links: readonly SoundLink[]): Promise<void> {
  const rows = links
    .filter(({ isApplied, request }) => isApplied && byPeople.includes(request.kind))
    .map(({ commandId, request: { accountId, currency, amount = 0 }, place }): BookedAdjustment => {
      // The part after the kind: one command for one adjustment.
      const id = commandId.slice(commandId.indexOf(':') + 1);
      return { environment, id, accountId, currency, amount, decidedAt: new Date(place.decidedAtMs) };
    });
  if (rows.length === 0) return;
  await tx.sql(
    `insert into adjustment (environment, id, account_id, currency, amount, decided_at)
     select environment, id, "accountId", currency, amount, "decidedAt" from ${adjustmentArrays.from(1, 'item')}
     on conflict do nothing`,
    adjustmentArrays.parametersOf(rows),
  );
}
