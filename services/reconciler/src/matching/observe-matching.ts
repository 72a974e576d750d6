import { type ItemKind, itemKindSchema } from '@gateway/contracts/reconciler';
import { type Environment, environmentSchema } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import { counter, histogram, level, startLoop, type Logger } from '@gateway/runtime';
import type { StoredLine } from '#src/matching/items.ts';

const sampleIntervalMs = 30_000;
const sides = ['P', 'R', 'L'] as const;
const signs = ['plus', 'minus'] as const;
const ages = ['below an hour', 'below a day', 'below a week', 'older'] as const;
const minuteSec = 60;
const hourSec = 3_600;
/** Five minutes are the promise; days are for files. */
const waitBuckets = [
  ...[1, 5, 15, 30, minuteSec, 2 * minuteSec, 5 * minuteSec, 15 * minuteSec],
  ...[hourSec, 6 * hourSec, 24 * hourSec, 48 * hourSec],
];

const explainedSeconds = histogram(
  'gateway_recon_explained_seconds',
  'From the moment the first side had an item, or its file came, until all sides agreed about it',
  ['environment', 'kind'],
  waitBuckets,
);
const fallenBack = counter(
  'gateway_recon_fallen_back_total',
  'Matches that had been explained until one of their sides changed',
  ['environment', 'kind'],
);
// Prometheus sees an increase only from a value that was there before.
for (const environment of environmentSchema.options) {
  for (const kind of itemKindSchema.options) fallenBack.add(0, { environment, kind });
}
const lineLag = histogram(
  'gateway_recon_line_lag_seconds',
  "From a provider's booking of a line until the reconciler had it",
  ['provider', 'source'],
  waitBuckets,
);
const unexplained = level(
  'gateway_recon_unexplained_minor',
  'Minor units of items that are not explained in time, never netted, by side and sign',
  ['provider', 'currency', 'side', 'sign'],
);
const aged = level(
  'gateway_recon_unexplained_age_minor',
  'Minor units of items that are not explained in time, by how long ago the first side had them',
  ['provider', 'currency', 'age'],
);
const items = level('gateway_recon_items', 'Matches that are not explained, by state', ['provider', 'state']);
const oldest = level('gateway_recon_oldest_seconds', 'Age of the oldest match that is not explained in time', [
  'provider',
  'currency',
]);

export function recordExplained(environment: Environment, kind: ItemKind, waitedSec: number): void {
  explainedSeconds.record(Math.max(0, waitedSec), { environment, kind });
}

export function recordFallenBack(environment: Environment, kind: ItemKind): void {
  fallenBack.add(1, { environment, kind });
}

export function recordLineLag(lines: readonly StoredLine[]): void {
  for (const { provider, source, bookedAt, receivedAt } of lines) {
    lineLag.record(Math.max(0, (receivedAt.getTime() - bookedAt.getTime()) / 1_000), { provider, source });
  }
}

/** Measures what is not explained; the indexes hold that alone, however much has been matched. */
export function sampleUnexplained(database: Database, logger: Logger, now: () => Date): AsyncDisposable {
  const work = () => measureUnexplained(database, now());
  return startLoop({ name: 'reconciliation metrics', intervalMs: sampleIntervalMs, logger, work });
}

async function measureUnexplained(database: Database, now: Date): Promise<void> {
  const sums = await database.query<{ provider: string; currency: string; side: string; sign: string; amount: number }>(
    `select provider, currency, side, case when amount < 0 then 'minus' else 'plus' end as sign,
       sum(abs(amount))::bigint as amount
     from match cross join lateral (values ('P', p_amount), ('R', r_amount), ('L', l_amount)) as sides (side, amount)
     where state in ('unexplained', 'proposed') and amount <> 0 group by 1, 2, 3, 4`,
  );
  const oldestOf = await database.query<{ provider: string; currency: string; firstSeenAt: Date }>(
    `select provider, currency, min(first_seen_at) as "firstSeenAt" from match
     where state in ('unexplained', 'proposed') group by 1, 2`,
  );
  const byAge = await database.query<{ provider: string; currency: string; age: string; amount: number }>(
    `select provider, currency, case when first_seen_at > $1::timestamptz - interval '1 hour' then '${ages[0]}'
         when first_seen_at > $1::timestamptz - interval '1 day' then '${ages[1]}'
         when first_seen_at > $1::timestamptz - interval '7 days' then '${ages[2]}' else '${ages[3]}' end as age,
       sum(greatest(abs(p_amount), abs(r_amount), abs(l_amount)))::bigint as amount
     from match where state in ('unexplained', 'proposed') group by 1, 2, 3`,
    [now],
  );
  // Those where nothing is amiss are shown with 0, so that a reader sees the difference to nothing measured.
  const accounts = await database.query<{ provider: string; currency: string }>(
    'select provider, currency from statement_source',
  );
  const states = await database.query<{ provider: string; state: string; matches: number }>(
    `select provider, state, count(*) as matches from match where state = 'waiting' group by 1, 2 union all
     select provider, state, count(*) from match where state in ('unexplained', 'proposed') group by 1, 2`,
  );
  unexplained.reset();
  aged.reset();
  oldest.reset();
  items.reset();
  for (const account of accounts) {
    for (const side of sides) for (const sign of signs) unexplained.set(0, { ...account, side, sign });
    for (const age of ages) aged.set(0, { ...account, age });
  }
  for (const { amount, ...labels } of sums) unexplained.set(amount, labels);
  for (const { amount, ...labels } of byAge) aged.set(amount, labels);
  for (const { firstSeenAt, ...labels } of oldestOf) {
    oldest.set(Math.max(0, (now.getTime() - firstSeenAt.getTime()) / 1_000), labels);
  }
  for (const { matches, ...labels } of states) items.set(matches, labels);
}
