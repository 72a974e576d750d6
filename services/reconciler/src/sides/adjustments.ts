import type { Environment } from '@gateway/contracts/values';
import { RowArrays, type Tx } from '@gateway/persistence';
import type { SoundLink } from '#src/sides/check-links.ts';

/** What the ledger books because two operators have decided it. */
const byPeople = ['adjust', 'own-funds'] as const;

/** An adjustment that the ledger has booked, or a transfer of our own. */
export interface BookedAdjustment {
  readonly environment: Environment;
  readonly kind: (typeof byPeople)[number];
  /** Under which it was proposed. */
  readonly id: string;
  readonly accountId: string;
  readonly currency: string;
  readonly amount: number;
  readonly decidedAt: Date;
}

export const adjustmentArrays = new RowArrays<keyof BookedAdjustment>([
  ['environment', 'text'],
  ['kind', 'text'],
  ['id', 'text'],
  ['accountId', 'text'],
  ['currency', 'text'],
  ['amount', 'bigint'],
  ['decidedAt', 'timestamptz'],
]);

/**
 * Remembers the adjustments among decisions, to be compared with the audit trail. Commands of two kinds may name one approval:
 * each is a row of its own, and the approval explains the one that it was given for.
 */
export async function keepAdjustments(tx: Tx, environment: Environment, links: readonly SoundLink[]): Promise<void> {
  const rows = links.flatMap(({ isApplied, commandId, request, place }): BookedAdjustment[] => {
    const kind = byPeople.find((each) => each === request.kind);
    if (!isApplied || kind === undefined) return [];
    const { accountId, currency, amount = 0 } = request;
    // The part after the kind: one command for one adjustment.
    const id = commandId.slice(commandId.indexOf(':') + 1);
    return [{ environment, kind, id, accountId, currency, amount, decidedAt: new Date(place.decidedAtMs) }];
  });
  if (rows.length === 0) return;
  await tx.sql(
    `insert into adjustment (environment, kind, id, account_id, currency, amount, decided_at)
     select environment, kind, id, "accountId", currency, amount, "decidedAt" from ${adjustmentArrays.from(1, 'item')}
     on conflict do nothing`,
    adjustmentArrays.parametersOf(rows),
  );
}
