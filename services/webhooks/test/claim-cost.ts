import { kitMigrations, openDatabase, type Database } from '@gateway/persistence';
import { createLogger } from '@gateway/runtime';
import { Endpoint } from '#src/endpoints/endpoint.ts';
import { claimDeliveries } from '#src/queue/claim.ts';
import { migrations } from '#src/migrations/index.ts';

/**
 * Measures what a claim costs where one endpoint has a backlog that dwarfs all others, beside a queue that is ordered
 * by due time. `claim-cost.ts <database url> <endpoints> <backlog> <rounds>` fills the empty database and prints JSON.
 */
const claimMax = 256;
const naiveMax = 64;
const fillStep = 50_000;

const [url = '', ...counts] = process.argv.slice(2);
const [endpoints = 0, backlog = 0, rounds = 0] = counts.map(Number);
const logger = createLogger('claim-cost', 'silent');
const database = await openDatabase({
  url,
  entities: [Endpoint],
  migrations: [...kitMigrations, ...migrations],
  logger,
});
await fill(database);
const fair: number[] = [];
const naive: number[] = [];
const [served, naivelyServed] = [new Set<string>(), new Set<string>()];
for (let round = 0; round < rounds; round++) {
  const startedMs = performance.now();
  const claim = { database, leaseToken: `bench:1/${round}`, pool: 'fast', limit: claimMax } as const;
  const { jobs } = await claimDeliveries(claim);
  fair.push(performance.now() - startedMs);
  for (const { endpointId } of jobs) served.add(endpointId);
  const naivelyMs = performance.now();
  for (const { endpoint_id } of await claimNaively(database)) naivelyServed.add(endpoint_id);
  naive.push(performance.now() - naivelyMs);
}
await database[Symbol.asyncDispose]();
process.stdout.write(JSON.stringify({ fair, naive, served: served.size, naivelyServed: naivelyServed.size }));

/** One due delivery for each endpoint, and the backlog of one that has been due for longer than any of them. */
async function fill({ pool }: Database): Promise<void> {
  await pool.query(
    `insert into endpoint_queue (endpoint_id, owner, ready_at, cap)
     select 'whk_' || lpad(n::text, 26, '0'), 'live acc_' || n, now() - interval '1 minute', 8 from generate_series(1, $1) as n`,
    [endpoints],
  );
  // In steps: a statement has the deadline of every other one of this pool.
  for (let from = 1; from <= backlog + endpoints; from += fillStep) {
    await pool.query(
      `insert into delivery (endpoint_id, id, event_id, format, data_id, event, due_at, created_at, expires_at)
       select 'whk_' || lpad(endpoint::text, 26, '0'), 'dlv_' || lpad(n::text, 26, '0'), 'evt_' || n, 'native-0.1',
              'dep_' || n, 'deposit.paid', due_at, due_at, due_at + interval '24 hours'
         from (select n, case when n <= $1 then 1 else n - $1 end as endpoint,
                      now() - case when n <= $1 then interval '1 hour' else interval '1 minute' end as due_at
                 from generate_series($2::integer, $3::integer) as n) as due`,
      [backlog, from, Math.min(from + fillStep - 1, backlog + endpoints)],
    );
    await pool.query('checkpoint');
  }
  // A backlog grows over hours. What a server does right after so many writes at once is none of a claim's business.
  for (const table of ['delivery', 'endpoint_queue']) await pool.query(`vacuum (analyze) ${table}`);
  await pool.query('checkpoint');
}

/** The deliveries that have been due longest, of any endpoint. */
async function claimNaively({ pool }: Database): Promise<{ endpoint_id: string }[]> {
  const { rows } = await pool.query<{ endpoint_id: string }>(
    `with due as (
       select endpoint_id, id from delivery where state = 0 and due_at <= now()
        order by due_at limit $1 for update skip locked)
     select endpoint_id from due`,
    [naiveMax],
  );
  return rows;
}
