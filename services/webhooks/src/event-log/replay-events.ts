import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { webhookEventSchema, type replayEvents as contract } from '@gateway/contracts/webhooks';
import { idLowerBound } from '@gateway/money';
import { type Database, readInTime } from '@gateway/persistence';
import { requireFewPending } from '#src/deliveries/pending-limit.ts';
import { findEndpoint, type Owner } from '#src/endpoints/endpoint.ts';
import { giveEvents, type GiveDeps } from '#src/event-log/give-events.ts';
import type { EventRow } from '#src/event-log/read-events.ts';

const tooMuch = { path: 'since', message: 'must be later: too many events would have to be looked at' };
/** Events of one replay. */
const eventsMax = 100_000;
const batchMax = 250;

/** An event that the endpoint was never given, and that is not about itself. */
const isOwed = `not exists (
    select from delivery d
     where d.endpoint_id = r.endpoint_id and d.data_id = e.data_id and d.event = e.name and d.event_id = e.id
  ) and e.data_id <> r.endpoint_id`;

const isOf = (replay: string) =>
  `e.environment = ${replay}.environment and e.account_id = ${replay}.account_id and e.id >= ${replay}.from_id
   and e.id < ${replay}.until_id and e.name = any(${replay}.names)
   and e.seq > ${replay}.after_seq and e.seq <= ${replay}.until_seq`;

/**
 * Gives an endpoint what its filter takes of a period and what it was never given. Answers how many events that are; they
 * are enqueued in the background and sent at the pace the receiver allows. What an earlier replay is still to give counts
 * as given.
 *
 * @throws NotFoundError; DomainError INVALID_STATE when the endpoint is disabled, LIMIT_REACHED beyond 100,000 events,
 *   RATE_LIMITED while the account counts another one or has several that are not done; ValidationError on `since` when
 *   counting would take too long
 */
export async function replayEvents(
  database: Database,
  { webhookId, since, until, events, ...owner }: RequestOf<typeof contract>,
  onReplay: () => void,
): Promise<ReplyOf<typeof contract>> {
  return await readInTime(
    database,
    async (tx) => {
      const endpoint = await findEndpoint(tx.em, { ...owner, id: webhookId });
      if (endpoint.status === 'disabled') throw new DomainError('INVALID_STATE', 'the webhook is disabled');
      // One at a time also because a later one counts what an earlier one is to give.
      await requireFewPending(tx, owner, 'select from replay where environment = $1 and account_id = $2');
      const taken = endpoint.events.length === 0 ? webhookEventSchema.options : endpoint.events;
      const names = taken.filter((name) => events === undefined || events.includes(name));
      const [from, to] = [boundOf(since), boundOf(until ?? Math.ceil(Date.now() / 1_000) + 60)];
      const [replay] = await tx.sql<{ id: number }>(
        `insert into replay (environment, account_id, endpoint_id, from_id, until_id, names, until_seq)
       select $1, $2, $3, $4, $5, $6::text[],
              coalesce((select seq from event_log_head where environment = $1 and account_id = $2), 0)
       returning id`,
        [owner.environment, owner.accountId, webhookId, from, to, names],
      );
      const [owed] = await tx.sql<{ count: number }>(
        `select count(*)::integer as count from (
         select from replay r join event_log e on ${isOf('r')}
          where r.id = $1 and ${isOwed} and not exists (
            select from replay earlier
             where earlier.endpoint_id = r.endpoint_id and earlier.id < r.id and ${isOf('earlier')}
          ) limit ${eventsMax + 1}
       ) owed`,
        [replay?.id],
      );
      const count = owed?.count ?? 0;
      if (count > eventsMax) {
        throw new DomainError('LIMIT_REACHED', `the period has more than ${eventsMax} events for the webhook`);
      }
      tx.afterCommit(onReplay);
      return { count };
    },
    tooMuch,
  );
}

function boundOf(seconds: number): string {
  return idLowerBound('event', seconds * 1_000);
}

interface Owed extends EventRow {
  readonly seq: number;
}

interface Pending extends Owner {
  readonly id: number;
  readonly endpoint_id: string;
}

/**
 * Enqueues a batch of the replay that has waited longest since its last one. Where the process ends between two batches, the next one goes on after the last.
 *
 * @returns true when there is more
 */
export async function continueReplay(deps: GiveDeps): Promise<boolean> {
  // Its turn is over however the batch goes: one that cannot be given holds up no other.
  const [pending] = await deps.database.query<Pending>(
    `update replay set served_at = clock_timestamp()
      where id = (select id from replay order by served_at, id limit 1 for update skip locked)
      returning id, environment, account_id as "accountId", endpoint_id`,
  );
  if (!pending) return false;
  const { id, endpoint_id: endpointId, ...owner } = pending;
  await giveEvents(deps, { ...owner, id: endpointId }, async (tx) => {
    const locked = await tx.sql('select from replay where id = $1 for update skip locked', [id]);
    const rows =
      locked.length === 0
        ? []
        : await tx.sql<Owed>(
            `select e.id, e.seq, e.name, e.data_id, e.subject, e.payload from replay r join event_log e on ${isOf('r')}
              where r.id = $1 and ${isOwed} order by e.seq limit ${batchMax}`,
            [id],
          );
    const last = rows.at(-1)?.seq;
    const alongside = async (isOpen: boolean) => {
      if (locked.length === 0) return;
      const isOver = !isOpen || rows.length < batchMax || last === undefined;
      if (isOver) await tx.sql('delete from replay where id = $1', [id]);
      else await tx.sql('update replay set after_seq = $2 where id = $1', [id, last]);
    };
    return { rows, alongside };
  });
  return true;
}
