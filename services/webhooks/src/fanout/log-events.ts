import { RowArrays } from '@gateway/persistence';
import { accountKeyOf } from '#src/endpoints/endpoint.ts';
import { notedAmountOf } from '#src/fanout/noted-amount.ts';
import type { ReceivedEvent } from '#src/fanout/registered-destinations.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';

const ownerArrays = new RowArrays([
  ['environment', 'text'],
  ['account_id', 'text'],
  ['events', 'bigint'],
]);

const eventArrays = new RowArrays([
  ['environment', 'text'],
  ['account_id', 'text'],
  ['later', 'bigint'],
  ['id', 'text'],
  ['name', 'text'],
  ['data_id', 'text'],
  ['subject', 'text'],
  ['payload', 'text'],
  ['occurred_at', 'timestamptz'],
  ['provider', 'text'],
  ['currency', 'text'],
  ['amount', 'bigint'],
]);

/**
 * The numbers of an account are taken under the lock of its head, which lasts until the commit. Heads are locked in their
 * order, so that two transactions cannot wait for each other. An event that is there keeps its number; the one that was
 * taken for its repetition stays unused, which no reader sees.
 */
const logStatement = `
  with head as (
    insert into event_log_head as known (environment, account_id, seq)
    select environment, account_id, events from ${ownerArrays.from(1, 'owner')} order by account_id, environment
    on conflict (environment, account_id) do update set seq = known.seq + excluded.seq
    returning environment, account_id, seq
  )
  insert into event_log (environment, account_id, seq, id, name, data_id, subject, payload, occurred_at, provider,
                         currency, amount)
  select given.environment, given.account_id, head.seq - given.later, given.id, given.name, given.data_id, given.subject,
         given.payload::json, given.occurred_at, given.provider, given.currency, given.amount
    from ${eventArrays.from(1 + ownerArrays.count, 'given')}
    join head on head.account_id = given.account_id and head.environment = given.environment
  on conflict (environment, id) do nothing`;

/**
 * Writes events to the log of their accounts, in their order (api.md 8). An event that is written again changes
 * nothing. It is the last of a transaction's writes that waits for locks: those of queues are taken before.
 */
export async function logEvents(tx: Pick<PreparedTx, 'sql'>, events: readonly ReceivedEvent[]): Promise<void> {
  const owners = [...Map.groupBy(events, ({ event }) => accountKeyOf(event)).values()];
  const heads = owners.map((owned) => ({
    environment: owned[0]?.event.environment,
    account_id: owned[0]?.event.accountId,
    events: owned.length,
  }));
  const rows = owners.flatMap((owned) =>
    owned.map(({ event, message: { subject, data } }, index) => ({
      environment: event.environment,
      account_id: event.accountId,
      later: owned.length - 1 - index,
      id: event.id,
      name: event.name,
      data_id: event.dataId,
      subject,
      payload: JSON.stringify(data),
      ...notedAmountOf(event.name, data),
    })),
  );
  const params = [...ownerArrays.parametersOf(heads), ...eventArrays.parametersOf(rows)];
  await tx.sql(logStatement, params, 'webhooks-log-events');
}
