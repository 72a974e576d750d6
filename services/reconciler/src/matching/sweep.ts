import type { ExceptionState, MatchState } from '@gateway/contracts/reconciler';
import { environmentSchema, type Environment } from '@gateway/contracts/values';
import type { Tx } from '@gateway/persistence';
import { openExceptions, sidesOf, type UnexplainedMatch } from '#src/matching/exceptions.ts';
import type { MatchingDependencies } from '#src/matching/items-arrived.ts';
import { statementZone } from '#src/matching/kinds.ts';
import { sharedIdLinesMax } from '#src/matching/linked-items.ts';
import { lockMatching } from '#src/matching/lock-matching.ts';
import { isSameMatch } from '#src/matching/match-key.ts';

const pageMatchesMax = 500;
/** When the file of a day is due on the next one. */
const fileDueTime = '10:00';

/** The first moment at which a match that waits has waited long enough. */
export const sweepDue = `(select min(deadline_at) from match where state = 'waiting')`;

/**
 * Opens an exception for each match whose time has run out, a page at a time.
 *
 * @param environments whose ledger is read up to now: of what another one lacks nothing is known
 */
export async function sweep(
  { database, now }: MatchingDependencies,
  environments: readonly Environment[] = environmentSchema.options,
): Promise<void> {
  for (const environment of environments) {
    let lapsed = pageMatchesMax;
    while (lapsed === pageMatchesMax) lapsed = await database.transaction((tx) => sweepPage(tx, environment, now()));
  }
}

async function sweepPage(tx: Tx, environment: Environment, now: Date): Promise<number> {
  await lockMatching(tx, [{ environment }]);
  await waitForFiles(tx, now);
  await closeExplained(tx, environment, now);
  const lapsed = await tx.sql<UnexplainedMatch & { readonly state: MatchState }>(
    `with lapsed as (
       select environment, provider, currency, subject from match
       where state = 'waiting' and deadline_at <= $1 and environment = $2 order by deadline_at limit ${pageMatchesMax})
     update match set state = case when ${hasException('RESOLVED')} then 'resolved'
       when ${hasException('PROPOSED')} then 'proposed' else 'unexplained' end
     from lapsed where ${isSameMatch('match', 'lapsed')}
     returning match.environment, match.provider, match.currency, match.subject, ${sidesOf('match')}, match.state,
       ${isDuplicate} as "isDuplicate"`,
    [now, environment],
  );
  const unexplained = lapsed.filter(({ state }) => state === 'unexplained');
  await openExceptions(tx, unexplained, now);
  return lapsed.length;
}

/** What people have decided, or proposed, about exactly these sums holds for a match that was built anew. */
function hasException(state: ExceptionState): string {
  return `exists (select from exception where ${isSameMatch('exception', 'match')} and exception.state = '${state}'
    and (exception.p_amount, exception.r_amount, exception.l_amount)
      = (match.p_amount, match.r_amount, match.l_amount))`;
}

/**
 * A line that stands alone, and names what another line has already: in the same direction, and as the same return. What came
 * back of a payout names the payout too, and is no second line of it.
 */
const isDuplicate = `match.r_items = 0 and match.l_items = 0 and match.subject like 'line:%' and exists (
  select from line cross join lateral (
      (select subject, amount, return_id from line as same where same.provider = line.provider and same.e2e_id = line.e2e_id
        limit ${sharedIdLinesMax + 1})
      union all (select subject, amount, return_id from line as same
        where same.provider = line.provider and same.return_id = line.return_id
        limit ${sharedIdLinesMax + 1})
    ) as other
  where other.subject not like 'line:%' and sign(other.amount) = sign(line.amount)
    and other.return_id is not distinct from line.return_id and line.line_key = substr(match.subject, length('line:' || match.kind || ':') + 1) and (line.environment, line.provider, line.currency)
    = (match.environment, match.provider, match.currency))`;

/** Those of matches that were built anew and are explained now. */
async function closeExplained(tx: Tx, environment: Environment, now: Date): Promise<void> {
  await tx.sql(
    `update exception set state = 'EXPLAINED', resolved_at = $1 from match
     where exception.environment = $2 and exception.state in ('OPEN', 'PROPOSED')
       and ${isSameMatch('match', 'exception')} and match.state = 'matched'`,
    [now, environment],
  );
}

/** What agrees but for the line waits until the file is due that may have it. */
async function waitForFiles(tx: Tx, now: Date): Promise<void> {
  await tx.sql(
    `with late as (
       select match.environment, match.provider, match.currency, match.subject,
         ((match.first_seen_at at time zone '${statementZone}')::date + 1 + time '${fileDueTime}')
           at time zone '${statementZone}' as due_at
       from match join statement_source source on (source.provider, source.currency) = (match.provider, match.currency)
       where match.state = 'waiting' and match.deadline_at <= $1 and match.environment = 'live'
         and match.p_items = 0 and match.r_amount = match.l_amount and statement_kind(match.provider, match.currency,
           (match.first_seen_at at time zone '${statementZone}')::date) = 'file')
     update match set deadline_at = late.due_at from late
     where late.due_at > $1 and ${isSameMatch('match', 'late')}`,
    [now],
  );
}
