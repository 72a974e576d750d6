import { gatheredReferencesMax, type getGatheredTransfers } from '@gateway/contracts/deposits';
import type { ReplyOf } from '@gateway/contracts/messages';
import { RowArrays } from '@gateway/persistence';
import { lockMatching } from '#src/matching/lock-matching.ts';
import { isSameMatch, type MatchKey } from '#src/matching/match-key.ts';
import type { SidesDependencies } from '#src/sides/read-ledger.ts';

type Gathered = ReplyOf<typeof getGatheredTransfers>['transfers'][number];

const minuteMs = 60_000;
export const gatheredIntervalMs = minuteMs;
/** Lines are looked at before their time has run out. */
const aheadMs = 2 * gatheredIntervalMs;
/** Once its time is up, what has arrived is credited or goes back, and either has the time of every payment. */
const afterExpiryMs = 10 * minuteMs;

interface AloneLine extends MatchKey {
  readonly reference: string;
  readonly e2eId: string;
  readonly amount: number;
  /** Lines of the same transfer: one that the provider doubled is none of a charge. */
  readonly lines: number;
}

/** Payments whose line stands alone and names a charge, by the index of what waits. */
const aloneSql = `
  select match.environment, match.provider, match.currency, match.subject, line.our_ref as reference,
    line.e2e_id as "e2eId", line.amount, (select count(*) from line as same where same.provider = line.provider
      and same.e2e_id = line.e2e_id and same.amount = line.amount and same.currency = line.currency)::int as lines
  from match join line on (line.environment, line.provider, line.currency, line.line_key)
    = ('live', match.provider, match.currency, substr(match.subject, length('line:payment:') + 1))
  where match.state = 'waiting' and match.deadline_at <= $1 and match.environment = 'live' and match.kind = 'payment'
    and match.subject like 'line:payment:%' and line.our_ref is not null and line.e2e_id is not null
  order by match.deadline_at limit ${gatheredReferencesMax}`;

const untilArrays = new RowArrays<keyof MatchKey | 'until'>([
  ['environment', 'text'],
  ['provider', 'text'],
  ['currency', 'text'],
  ['subject', 'text'],
  ['until', 'timestamptz'],
]);

/**
 * Gives lines of transfers that do not cover their charge yet the time that the charge has: the record of the payment is made
 * when the rest has come, or the charge has expired. Until then deposits says that it knows them.
 */
export async function waitForRest({ database, sources, now }: SidesDependencies): Promise<false> {
  const alone = await database.query<AloneLine>(aloneSql, [new Date(now().getTime() + aheadMs)]);
  if (alone.length === 0) return false;
  const gathered = await sources.gathered([...new Set(alone.map(({ reference }) => reference))]);
  const waiting = alone.flatMap((line) => {
    const [known, ...others] = gathered.filter((transfer) => isOf(transfer, line));
    if (!known || line.lines > 1 + others.length) return [];
    return [{ ...line, until: new Date(known.waitsUntilMs + afterExpiryMs) }];
  });
  if (waiting.length === 0) return false;
  await database.transaction(async (tx) => {
    await lockMatching(tx, [{ environment: 'live' }]);
    await tx.sql(
      `update match set deadline_at = item.until from ${untilArrays.from(1, 'item')}
       where ${isSameMatch('match', 'item')} and match.state = 'waiting' and match.r_items = 0 and match.l_items = 0
         and match.deadline_at < item.until`,
      untilArrays.parametersOf(waiting),
    );
  });
  return false;
}

function isOf(transfer: Gathered, line: AloneLine): boolean {
  return (
    transfer.provider === line.provider &&
    transfer.currency === line.currency &&
    transfer.reference === line.reference &&
    transfer.e2eId === line.e2eId &&
    transfer.amount === line.amount
  );
}
