import { ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { totalsMax, type getTotals as contract } from '@gateway/contracts/webhooks';
import { allOf, readInTime, wanted, type Database, type Tx } from '@gateway/persistence';
import { readable, secondsIn } from '#src/totals/readable-payload.ts';

type Total = ReplyOf<typeof contract>['totals'][number];

/**
 * The totals of a period by the hour or the day, the first of them first, and until when they are complete.
 *
 * @throws ValidationError naming `from` when it would be more than an answer has
 */
export async function getTotals(
  database: Database,
  { environment, accountId, byProvider, from, to, by, zone, currency, events }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const params: unknown[] = [by, zone];
  const where = allOf(
    [
      ...wanted('environment = ?', environment),
      ...(byProvider ? [] : wanted('account_id = ?', accountId)),
      ...wanted('hour >= to_timestamp(?)', from),
      ...wanted('hour < to_timestamp(?)', to),
      ...wanted('currency = ?', currency),
      ...wanted('event = any(?)', events),
    ],
    params,
  );
  const [table, provider] = byProvider ? ['hour_provider_total', 'provider'] : ['hour_total', 'null::text'];
  const totals = await readInTime(
    database,
    async (tx) =>
      await tx.sql<Total>(
        `select event, ${provider} as provider, currency, extract(epoch from date_trunc($1, hour, $2))::bigint as at,
                sum(count)::bigint as count, sum(amount)::bigint as amount
           from ${table} where ${where} group by 1, 2, 3, 4 order by 4, 1, 3, 2 limit ${totalsMax + 1}`,
        params,
      ),
  );
  if (totals.length > totalsMax) {
    throw new ValidationError([
      {
        path: 'from',
        message: `must be later, or by a day, or the events fewer: an answer has ${totalsMax} totals at most`,
      },
    ]);
  }
  return { totals, asOf: await database.transaction((tx) => completeUntil(tx, { environment, accountId })) };
}

/** Until when every published event was read, or when the first event was true that is in the log and not added up yet. */
async function completeUntil(
  tx: Tx,
  { environment, accountId }: Pick<RequestOf<typeof contract>, 'environment' | 'accountId'>,
): Promise<number> {
  const params: unknown[] = [];
  const whose = allOf(
    [...wanted('head.environment = ?', environment), ...wanted('head.account_id = ?', accountId)],
    params,
  );
  const [row] = await tx.sql<{ asOf: number }>(
    `select least(min(coalesce(extract(epoch from logged.occurred_at)::bigint, ${secondsIn('logged.payload')})),
                  (select extract(epoch from complete_until)::bigint from hour_total_read)) as "asOf"
       from event_log_head head left join hour_total_position position using (environment, account_id)
       cross join lateral (
         select occurred_at, case when occurred_at is null then ${readable('payload')} end as payload from event_log e
          where e.environment = head.environment and e.account_id = head.account_id and e.seq > coalesce(position.seq, 0)
          order by e.seq limit 1
       ) logged
      where head.seq > coalesce(position.seq, 0) and ${whose}`,
    params,
  );
  return row?.asOf ?? 0;
}
