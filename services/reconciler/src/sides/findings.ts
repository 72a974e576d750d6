import type { ExceptionReason } from '@gateway/contracts/reconciler';
import { newId } from '@gateway/money';
import { RowArrays, type Tx } from '@gateway/persistence';
import { isSameMatch, keyArrays, type MatchKey } from '#src/matching/match-key.ts';

/** Something that no match shows: its subject is no match's. */
export interface Finding extends MatchKey {
  readonly reason: ExceptionReason;
  /** In question; 0 where no amount is. */
  readonly amount: number;
  /** What the record says, and the ledger. */
  readonly rAmount: number;
  readonly lAmount: number;
  readonly accountId: string | null;
}

const findingArrays = new RowArrays<keyof Finding | 'id'>([
  ['id', 'text'],
  ['environment', 'text'],
  ['provider', 'text'],
  ['currency', 'text'],
  ['subject', 'text'],
  ['reason', 'text'],
  ['amount', 'bigint'],
  ['rAmount', 'bigint'],
  ['lAmount', 'bigint'],
  ['accountId', 'text'],
]);

/** An exception for each that has none yet, and has not been decided about as it is. */
export async function openFindings(tx: Tx, findings: readonly Finding[], now: Date): Promise<void> {
  if (findings.length === 0) return;
  const rows = findings.map((finding) => ({ ...finding, id: newId('exception', now.getTime()) }));
  await tx.sql(
    `insert into exception (id, environment, provider, currency, subject, reason, amount, p_amount, r_amount, l_amount,
       account_id, state, opened_at)
     select id, environment, provider, currency, subject, reason, amount, 0, "rAmount", "lAmount", "accountId", 'OPEN', $1
     from ${findingArrays.from(2, 'item')}
     where not exists (select from exception where ${isSameMatch('exception', 'item')} and exception.state = 'RESOLVED'
       and (exception.r_amount, exception.l_amount) = (item."rAmount", item."lAmount"))
     on conflict (environment, provider, currency, subject) where state in ('OPEN', 'PROPOSED') do nothing`,
    [now, ...findingArrays.parametersOf(rows)],
  );
}

/** What was found is so no longer: there is nothing left to decide. */
export async function closeFindings(tx: Tx, keys: readonly MatchKey[], now: Date): Promise<void> {
  if (keys.length === 0) return;
  await tx.sql(
    `update exception set state = 'EXPLAINED', resolved_at = $1 from ${keyArrays.from(2, 'item')}
     where ${isSameMatch('exception', 'item')} and exception.state in ('OPEN', 'PROPOSED')`,
    [now, ...keyArrays.parametersOf(keys)],
  );
}
