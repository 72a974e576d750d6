import { idTimeMs } from '@gateway/money';
import type { Queries, Tx } from '@gateway/persistence';
import type { Fact } from '#src/matching/items.ts';
import { isSameMatch, keyArrays, type MatchKey } from '#src/matching/match-key.ts';

const keptFromSql = 'select kept_from as "keptFrom" from kept_months';

/** From when on lines, facts and matches are kept; null while nothing was ever removed. */
export async function keptSince(source: Queries): Promise<Date | null> {
  const [row] = await source.query<{ keptFrom: Date }>(keptFromSql);
  return row?.keptFrom ?? null;
}

/**
 * Facts without those of what was removed with its month, which would stand alone when they are read once more: after a
 * rebuild, or with a record of that time to which something happens. What the ledger decides today counts, whatever it is
 * about; what a record says counts where the ledger's side, or its match, is there.
 */
export async function withoutRemoved(tx: Tx, facts: readonly Fact[]): Promise<readonly Fact[]> {
  const [kept] = await tx.sql<{ keptFrom: Date }>(keptFromSql);
  if (!kept || facts.length === 0) return facts;
  const { keptFrom } = kept;
  const current = facts.filter((fact) => fact.side !== 'L' || fact.occurredAt >= keptFrom);
  const known = new Set(current.filter(({ side }) => side === 'L').map(idOf));
  const isDoubted = (fact: Fact) => fact.side === 'R' && isOlder(fact, keptFrom) && !known.has(idOf(fact));
  const doubted = current.filter(isDoubted);
  if (doubted.length === 0) return current;
  const found = await tx.sql<MatchKey>(
    `select match.environment, match.provider, match.currency, match.subject
     from ${keyArrays.from(1, 'item')} join match on ${isSameMatch('match', 'item')}`,
    keyArrays.parametersOf(doubted),
  );
  for (const key of found) known.add(idOf(key));
  return current.filter((fact) => !isDoubted(fact));
}

function idOf({ environment, provider, currency, subject }: MatchKey): string {
  return `${environment} ${provider} ${currency} ${subject}`;
}

function isOlder({ recordId }: Fact, than: Date): boolean {
  if (recordId === null) return false;
  try {
    return idTimeMs(recordId) < than.getTime();
  } catch {
    return false;
  }
}
