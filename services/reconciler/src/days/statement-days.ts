import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ProviderBalance } from '@gateway/contracts/providers';
import type { closeStatementDay } from '@gateway/contracts/reconciler';
import { type Database, queriesIn, type Tx } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import { KeptComparisons } from '#src/days/kept-comparisons.ts';
import { type DayKey, readDay } from '#src/days/list-days.ts';
import { type NextDay, nextDays } from '#src/days/next-day.ts';
import { lockMatching } from '#src/matching/lock-matching.ts';
import type { LedgerCheckpoint } from '#src/sides/sources.ts';

export interface DaysDependencies {
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => Date;
  /** What the live providers hold, as deposits has compared it last. */
  readonly balances: () => Promise<readonly ProviderBalance[]>;
  /** What the live ledger has signed last. */
  readonly checkpoint: () => Promise<LedgerCheckpoint | null>;
}

/** What others say when a day is closed. */
interface Evidence {
  readonly balances: readonly ProviderBalance[];
  readonly checkpoint: LedgerCheckpoint | null;
}

/** Under which days close that agree. */
const byTheClock = 'reconciler';

/** Closes the days that are due, have been read to their end, and agree with what the provider holds. */
export async function closeDays(
  dependencies: DaysDependencies,
  comparisons: KeptComparisons = new KeptComparisons(),
): Promise<void> {
  const { database, now } = dependencies;
  let closed = true;
  while (closed) {
    const due = (await nextDays(database)).filter(
      ({ dueAt, endsAt, readUntil }) => dueAt <= now() && readUntil !== null && readUntil >= endsAt,
    );
    closed = false;
    if (due.length === 0) return;
    const evidence = { balances: await dependencies.balances(), checkpoint: await dependencies.checkpoint() };
    for (const next of due) {
      const balances = comparisons.for(next, evidence.balances);
      const closes = await closeDay(dependencies, next, { ...evidence, balances }, byTheClock);
      closed ||= closes !== undefined;
    }
  }
}

/** By an operator, as it stands. @throws NotFoundError, DomainError as the contract says */
export async function closeByHand(
  dependencies: DaysDependencies,
  { provider, currency, day, operator }: RequestOf<typeof closeStatementDay>,
): Promise<ReplyOf<typeof closeStatementDay>> {
  const { database, now } = dependencies;
  const asked = { provider, currency, day };
  const known = await readDay(database, asked);
  if (known?.state === 'CLOSED') return { day: known };
  const next = (await nextDays(database)).find((each) => each.provider === provider && each.currency === currency);
  if (!next) throw new NotFoundError('statement day');
  if (next.day !== day) throw new DomainError('INVALID_STATE', `the day that is closed next is ${next.day}`);
  if (next.endsAt > now()) throw new DomainError('INVALID_STATE', 'the day is not over');
  // Without an answer it is closed all the same, and says that nothing was known.
  const withoutAnswer =
    <T>(otherwise: T) =>
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return otherwise;
    };
  const balances = await dependencies.balances().catch(withoutAnswer([]));
  const checkpoint = await dependencies.checkpoint().catch(withoutAnswer(null));
  await closeDay(dependencies, asked, { balances, checkpoint }, operator);
  const closed = await readDay(database, asked);
  if (closed?.state !== 'CLOSED') throw new DomainError('INVALID_STATE', 'the day cannot be closed as it stands');
  return { day: closed };
}

/** Under the lock of matching: no line comes in between. */
async function closeDay(
  { database, logger, now }: DaysDependencies,
  { provider, currency, day }: DayKey,
  { balances, checkpoint }: Evidence,
  closedBy: string,
): Promise<NextDay | undefined> {
  return await database.transaction(async (tx) => {
    await lockMatching(tx, [{ environment: 'live' }]);
    const next = (await nextDays(queriesIn(tx))).find(
      (each) => each.provider === provider && each.currency === currency && each.day === day,
    );
    if (!next) return undefined;
    const held = await balanceAtEnd(tx, next, balances);
    // The first day begins with what the provider then held.
    const opening = next.isFirst && held.kind === 'known' ? held.amount - next.lines : next.opening;
    const closing = opening + next.lines;
    const agrees = held.kind === 'none' || (held.kind === 'known' && held.amount === closing);
    if (!agrees && closedBy === byTheClock) return undefined;
    await tx.sql(
      `insert into day_close (provider, currency, day, opening, lines, late, closing, booked, provider_balance,
         unexplained_plus, unexplained_minus, closed_at, closed_by, checkpoint_size, checkpoint_root)
       select $1, $2, $3::date, $4, $5, $6, $7, $8, $9, coalesce(sum(amount) filter (where amount > 0), 0),
         coalesce(-sum(amount) filter (where amount < 0), 0), $10, $11, $12, $13
       from exception where environment = 'live' and state in ('OPEN', 'PROPOSED') and provider = $1 and currency = $2`,
      [
        ...[provider, currency, day, opening, next.lines, next.late, closing, next.booked],
        ...[held.kind === 'known' ? held.amount : null, now(), closedBy],
        ...[checkpoint?.size ?? null, checkpoint?.root ?? null],
      ],
    );
    tx.afterCommit(() => logger.info({ provider, currency, day, closing, closedBy }, 'a day of a statement is closed'));
    return next;
  });
}

type Held = { readonly kind: 'known'; readonly amount: number } | { readonly kind: 'none' | 'not yet' };

/** What the provider held when the day ended: its balance, less what was booked between then and the comparison. */
async function balanceAtEnd(tx: Tx, next: NextDay, balances: readonly ProviderBalance[]): Promise<Held> {
  if (next.isFile) return next.fileClosing === null ? { kind: 'none' } : { kind: 'known', amount: next.fileClosing };
  const balance = balances.find(({ provider, currency }) => provider === next.provider && currency === next.currency);
  const heldNow = balance?.held ?? null;
  if (!balance || heldNow === null) return { kind: 'none' };
  const comparedAt = new Date(balance.comparedAt * 1_000);
  if (comparedAt < next.endsAt || next.readUntil === null || next.readUntil < comparedAt) return { kind: 'not yet' };
  const [since] = await tx.sql<{ amount: number }>(
    `select coalesce(sum(amount), 0)::bigint as amount from line
     where environment = 'live' and provider = $1 and currency = $2 and batch_key is null
       and booked_at >= $3 and booked_at <= $4`,
    [next.provider, next.currency, next.endsAt, comparedAt],
  );
  return { kind: 'known', amount: heldNow - (since?.amount ?? 0) };
}
