import type { ExceptionReason, ItemKind } from '@gateway/contracts/reconciler';
import { newId } from '@gateway/money';
import { RowArrays, type Tx } from '@gateway/persistence';
import { needsRecord } from '#src/matching/kinds.ts';
import { isSameMatch, keyArrays, type MatchKey } from '#src/matching/match-key.ts';

/** What the sides of a match say. */
export interface Sides {
  readonly kind: ItemKind;
  readonly pItems: number;
  readonly pAmount: number;
  readonly rItems: number;
  readonly rAmount: number;
  readonly lItems: number;
  readonly lAmount: number;
}

export interface UnexplainedMatch extends MatchKey, Sides {
  readonly accountId: string | null;
  /** Another line has the record that this one names. */
  readonly isDuplicate: boolean;
}

/** Under the names of the members, for `select` and `returning`. */
export const sidesOf = (alias: string) => `${alias}.kind, ${alias}.p_items as "pItems", ${alias}.p_amount as "pAmount",
  ${alias}.r_items as "rItems", ${alias}.r_amount as "rAmount", ${alias}.l_items as "lItems",
  ${alias}.l_amount as "lAmount", ${alias}.account_id as "accountId"`;

interface Finding {
  readonly reason: ExceptionReason;
  /** The whole item where a side is missing, else the difference. */
  readonly amount: number;
}

/** Why sides do not explain each other, and the amount in question. */
function findingOf(sides: Sides & { readonly isDuplicate?: boolean }): Finding {
  const { kind, pItems, pAmount, rItems, rAmount, lItems, lAmount } = sides;
  if (kind === 'batch') return { reason: 'batch_differs', amount: pAmount - rAmount };
  if (kind === 'refunded') return { reason: 'refunded_differs', amount: rAmount - lAmount };
  if (kind === 'clearing') return { reason: 'clearing_differs', amount: lAmount - rAmount };
  if (!needsRecord(kind)) return findingWithoutRecord(sides);
  if (rItems === 0 && lItems === 0) {
    return { reason: sides.isDuplicate ? 'duplicate_line' : 'line_without_record', amount: pAmount };
  }
  if (rItems === 0 || (rAmount === 0 && lAmount !== 0)) return { reason: 'ledger_without_record', amount: lAmount };
  if (rAmount !== 0 && lAmount === 0) return { reason: 'record_without_ledger', amount: rAmount };
  if (rAmount !== lAmount) return { reason: 'amount_differs', amount: rAmount - lAmount };
  if (pItems === 0) return { reason: 'record_without_line', amount: rAmount };
  return { reason: 'amount_differs', amount: pAmount - rAmount };
}

function findingWithoutRecord({
  kind,
  pItems,
  pAmount,
  lItems,
  lAmount,
  isDuplicate,
}: Sides & {
  readonly isDuplicate?: boolean;
}): Finding {
  const isKnown = kind !== 'other';
  if (isDuplicate) return { reason: 'duplicate_line', amount: pAmount };
  if (lItems === 0) return { reason: isKnown ? 'line_without_ledger' : 'line_without_record', amount: pAmount };
  if (pItems === 0) return { reason: isKnown ? 'ledger_without_line' : 'ledger_without_record', amount: lAmount };
  return { reason: 'amount_differs', amount: pAmount - lAmount };
}

interface ExceptionRow extends MatchKey, Finding, Pick<Sides, 'pAmount' | 'rAmount' | 'lAmount'> {
  readonly id: string;
  readonly accountId: string | null;
}

const exceptionArrays = new RowArrays<keyof ExceptionRow>([
  ['id', 'text'],
  ['environment', 'text'],
  ['provider', 'text'],
  ['currency', 'text'],
  ['subject', 'text'],
  ['reason', 'text'],
  ['amount', 'bigint'],
  ['pAmount', 'bigint'],
  ['rAmount', 'bigint'],
  ['lAmount', 'bigint'],
  ['accountId', 'text'],
]);

/**
 * One for each match whose time has run out. One that is open already, as when everything is matched anew, stays, and so
 * does what was proposed for the same sums. The caller holds the lock of matching.
 */
export async function openExceptions(tx: Tx, matches: readonly UnexplainedMatch[], now: Date): Promise<void> {
  if (matches.length === 0) return;
  const rows = matches.map((match) => ({ ...match, ...findingOf(match), id: newId('exception', now.getTime()) }));
  await tx.sql(
    `insert into exception (id, environment, provider, currency, subject, reason, amount, p_amount, r_amount, l_amount,
       account_id, state, opened_at)
     select id, environment, provider, currency, subject, reason, amount, "pAmount", "rAmount", "lAmount", "accountId",
       'OPEN', $1 from ${exceptionArrays.from(2, 'item')}
     on conflict (environment, provider, currency, subject) where state in ('OPEN', 'PROPOSED') do update
       set reason = excluded.reason, amount = excluded.amount, p_amount = excluded.p_amount,
         r_amount = excluded.r_amount, l_amount = excluded.l_amount, state = 'OPEN', proposal = null,
         proposed_by = null, proposed_at = null
       where (exception.p_amount, exception.r_amount, exception.l_amount)
         is distinct from (excluded.p_amount, excluded.r_amount, excluded.l_amount)`,
    [now, ...exceptionArrays.parametersOf(rows)],
  );
}

/** The missing side came, or the line has found its record: there is nothing left to decide. */
export async function explainExceptions(tx: Tx, matches: readonly MatchKey[], now: Date): Promise<void> {
  if (matches.length === 0) return;
  await tx.sql(
    `update exception set state = 'EXPLAINED', resolved_at = $1
     from ${keyArrays.from(2, 'item')}
     where ${isSameMatch('exception', 'item')} and exception.state in ('OPEN', 'PROPOSED')`,
    [now, ...keyArrays.parametersOf(matches)],
  );
}

/** What an operator has proposed for other sums is proposed no longer. */
export async function refreshExceptions(tx: Tx, matches: readonly MatchKey[]): Promise<void> {
  if (matches.length === 0) return;
  const current = await tx.sql<UnexplainedMatch>(
    `select match.environment, match.provider, match.currency, match.subject, ${sidesOf('match')}
     from ${keyArrays.from(1, 'item')} join match on ${isSameMatch('match', 'item')}`,
    keyArrays.parametersOf(matches),
  );
  const rows = current.map((match) => ({ ...match, ...findingOf(match), id: '' }));
  await tx.sql(
    `update exception set reason = item.reason, amount = item.amount, p_amount = item."pAmount",
       r_amount = item."rAmount", l_amount = item."lAmount", state = 'OPEN', proposal = null, proposed_by = null,
       proposed_at = null
     from ${exceptionArrays.from(1, 'item')}
     where ${isSameMatch('exception', 'item')} and exception.state in ('OPEN', 'PROPOSED')`,
    exceptionArrays.parametersOf(rows),
  );
}
