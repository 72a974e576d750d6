import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ExplainedShare, getExplained, UnexplainedSum } from '@gateway/contracts/reconciler';
import type { Database } from '@gateway/persistence';
import { promisedSec } from '#src/matching/explained-hours.ts';
import { isPromised, statementZone } from '#src/matching/kinds.ts';
import { isSameMatch } from '#src/matching/match-key.ts';

type Account = Pick<ExplainedShare, 'environment' | 'provider' | 'currency'>;

/** Of the environment and the provider that are asked for, if they are. */
const asked = `($1::text is null or environment = $1) and ($2::text is null or provider = $2)`;

const countedSql = `
  select environment, provider, currency, sum(in_time)::bigint as "inTime",
    (sum(explained) - sum(in_time))::bigint as late, sum(lines)::bigint as lines, sum(late_lines)::bigint as "lateLines"
  from explained_hour where hour >= date_trunc('hour', $3::timestamptz, 'UTC') and ${asked} group by 1, 2, 3`;

/** What lacks nothing but the line of a statement that comes as a file waits for that file. */
const openSql = `
  select environment, provider, currency, count(*)::int as open from match
  where state in ('waiting', 'unexplained', 'proposed') and ${isPromised('match')} and ${asked}
    and first_seen_at >= date_trunc('hour', $3::timestamptz, 'UTC')
    and first_seen_at < $4::timestamptz - interval '${promisedSec} seconds'
    and not (state = 'waiting' and needs_line and p_items = 0 and r_amount = l_amount
      and statement_kind(provider, currency, (first_seen_at at time zone '${statementZone}')::date) is not distinct from 'file')
  group by 1, 2, 3`;

const resolvedSql = `
  select match.environment, match.provider, match.currency, count(distinct match.subject)::int as resolved
  from exception join match on ${isSameMatch('match', 'exception')}
  where exception.state = 'RESOLVED' and match.state = 'resolved' and ${isPromised('match')}
    and ($1::text is null or match.environment = $1) and ($2::text is null or match.provider = $2)
    and match.first_seen_at >= date_trunc('hour', $3::timestamptz, 'UTC')
  group by 1, 2, 3`;

const unexplainedSql = `
  select environment, provider, currency, side,
    case when first_seen_at > $3::timestamptz - interval '1 hour' then 'below_an_hour'
      when first_seen_at > $3::timestamptz - interval '1 day' then 'below_a_day'
      when first_seen_at > $3::timestamptz - interval '7 days' then 'below_a_week' else 'older' end as age,
    count(*)::int as matches, sum(greatest(amount, 0))::bigint as plus, sum(greatest(-amount, 0))::bigint as minus,
    min(first_seen_at) as "oldestAt"
  from match cross join lateral (values ('P', p_amount), ('R', r_amount), ('L', l_amount)) as sides (side, amount)
  where state in ('unexplained', 'proposed') and amount <> 0 and ${asked}
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, min(first_seen_at), 4`;

const sourcesSql = `select 'live' as environment, provider, currency from statement_source
  where ($1::text is null or $1 = 'live') and ($2::text is null or provider = $2)`;

type Unexplained = Account & Omit<UnexplainedSum, 'oldestAt'> & { readonly oldestAt: Date };

const nothing = { inTime: 0, late: 0, open: 0, resolved: 0, lines: 0, lateLines: 0 } as const;

/**
 * The share of what happened that all sides explain within five minutes, and what they do not explain, by account, side and
 * age. An account whose statement is read is there also where nothing has happened.
 */
export async function readExplained(
  { database, now }: { readonly database: Database; readonly now: () => Date },
  { since, environment, provider }: RequestOf<typeof getExplained>,
): Promise<ReplyOf<typeof getExplained>> {
  const of = [environment ?? null, provider ?? null];
  const [sources, counted, open, resolved, unexplained] = await Promise.all([
    database.query<Account>(sourcesSql, of),
    database.query<Account & Partial<ExplainedShare>>(countedSql, [...of, since]),
    database.query<Account & Partial<ExplainedShare>>(openSql, [...of, since, now()]),
    database.query<Account & Partial<ExplainedShare>>(resolvedSql, [...of, since]),
    database.query<Unexplained>(unexplainedSql, [...of, now()]),
  ]);
  const shares = new Map<string, ExplainedShare>();
  for (const row of [...sources, ...counted, ...open, ...resolved]) {
    shares.set(nameOf(row), { ...nothing, unexplained: [], ...shares.get(nameOf(row)), ...row });
  }
  for (const row of unexplained) {
    const { environment: where, provider: at, currency, oldestAt, ...sum } = row;
    const account = { environment: where, provider: at, currency };
    const share = shares.get(nameOf(row)) ?? { ...account, ...nothing, unexplained: [] };
    const sums = [...share.unexplained, { ...sum, oldestAt: oldestAt.toISOString() }];
    shares.set(nameOf(row), { ...share, unexplained: sums });
  }
  const names = [...shares.keys()].sort();
  return { accounts: names.flatMap((name) => shares.get(name) ?? []) };
}

function nameOf({ environment, provider, currency }: Account): string {
  return `${environment} ${provider} ${currency}`;
}
