import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ApiVersion, MessageLanguage } from '@gateway/contracts/values';
import type {
  LoggedEvent,
  getEvent as getContract,
  getEventLogStart as startContract,
  listEventDeliveries as deliveriesContract,
  listEvents as listContract,
} from '@gateway/contracts/webhooks';
import { idLowerBound } from '@gateway/money';
import { allOf, ownedBy, wanted, type Condition, type Database } from '@gateway/persistence';
import { deliveryColumns, deliverySource, toDelivery, type DeliveryRow } from '#src/deliveries/read-deliveries.ts';
import type { EventLogDays } from '#src/deliveries/retention.ts';
import type { Owner } from '#src/endpoints/endpoint.ts';
import { publicEventOf, type PublicEvent } from '#src/fanout/public-events.ts';
import { eventLog } from '#src/migrations/0008-event-log.ts';

/** Events that one call looks at, at most: a page that is narrowed by name may be short. */
const eventsReadMax = 10_000;

type ListRequest = RequestOf<typeof listContract>;

/**
 * A page of the log. Numbers are in the order of commits and no hole is filled later, so that a reader that goes on from an
 * event has seen everything before it, whatever is being recorded.
 *
 * @throws ValidationError naming `cursor` when it is no event of this log
 */
export async function listEvents(database: Database, request: ListRequest): Promise<ReplyOf<typeof listContract>> {
  const { limit, events } = request;
  const after = request.cursor === undefined ? undefined : await numberOf(database, request, request.cursor);
  const lookedAt = events === undefined ? limit + 1 : eventsReadMax;
  const { ids, count, last } = await choose(database, request, { after, lookedAt });
  const page = ids.slice(0, limit);
  const isLooking = events !== undefined && count === lookedAt;
  const isCut = ids.length > limit;
  const seen = isCut ? (page.at(-1) ?? null) : last;
  return { events: await show(database, request, page), nextCursor: isCut || isLooking ? seen : null, seen };
}

/** The place of an event in the log of its account. */
async function numberOf(database: Database, owner: Owner, id: string): Promise<number> {
  const [found] = await database.query<{ seq: number }>(
    'select seq from event_log where environment = $1 and account_id = $2 and id = $3',
    [owner.environment, owner.accountId, id],
    'event-log-number',
  );
  if (found) return found.seq;
  const message = 'is not the id of an event of this log, which keeps events for a limited time';
  throw new ValidationError([{ path: 'cursor', message }]);
}

interface Chosen {
  /** In the order of the list, one more than the page has room for when there are more. */
  readonly ids: readonly string[];
  /** How many events were looked at. */
  readonly count: number;
  /** The last of these. */
  readonly last: string | null;
}

/** A period is a range of ids, which begin with their time; it also names the days that are read. */
async function choose(
  database: Database,
  { environment, accountId, order, from, to, dataId, events, limit }: ListRequest,
  { after, lookedAt }: { readonly after: number | undefined; readonly lookedAt: number },
): Promise<Chosen> {
  const conditions: readonly Condition[] = [
    ownedBy({ environment, accountId }),
    ...wanted(order === 'asc' ? 'seq > ?' : 'seq < ?', after),
    ...wanted('id >= ?', from === undefined ? undefined : idLowerBound('event', Math.round(from * 1_000))),
    ...wanted('id < ?', to === undefined ? undefined : idLowerBound('event', Math.round(to * 1_000))),
    ...wanted('data_id = ?', dataId),
  ];
  const params: unknown[] = [lookedAt, limit + 1, events ?? null];
  const [chosen] = await database.query<Chosen>(
    `with looked_at as materialized (
       select id, seq, name from event_log where ${allOf(conditions, params)} order by seq ${order} limit $1
     ), chosen as (
       select id, seq from looked_at where $3::text[] is null or name = any($3) order by seq ${order} limit $2
     )
     select array(select id from chosen order by seq ${order}) as ids,
            (select count(*)::integer from looked_at) as count,
            (select id from looked_at order by seq ${order === 'asc' ? 'desc' : 'asc'} limit 1) as last`,
    params,
  );
  if (!chosen) throw new Error('a query without rows to choose from has answered with none');
  return chosen;
}

/** An event as it is in the log. */
export interface EventRow {
  readonly id: string;
  readonly name: string;
  readonly data_id: string;
  readonly subject: string;
  readonly payload: unknown;
}

/** How a caller is shown events. */
export interface Shown {
  readonly apiVersion: ApiVersion;
  readonly language?: MessageLanguage | undefined;
}

async function show(database: Database, request: Owner & Shown, ids: readonly string[]): Promise<LoggedEvent[]> {
  if (ids.length === 0) return [];
  const rows = await database.query<EventRow>(
    'select id, name, data_id, subject, payload from event_log where environment = $1 and account_id = $2 and id = any($3)',
    [request.environment, request.accountId, ids],
    'event-log-read',
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [toLoggedEvent(recordedEvent(row), request)] : [];
  });
}

/** The event that was recorded: messages are read in every form that they have had. */
export function recordedEvent({ id, subject, payload }: EventRow): PublicEvent {
  const event = publicEventOf(subject, payload);
  if (!event) throw new Error(`the event log has ${id} of ${subject}, which is no public event`);
  return event;
}

function toLoggedEvent(event: PublicEvent, { apiVersion, language }: Shown): LoggedEvent {
  return {
    id: event.id,
    environment: event.environment,
    event: event.name,
    createdAt: event.createdAt,
    dataId: event.dataId,
    data: event.present(apiVersion, language) as LoggedEvent['data'],
  };
}

/** @throws NotFoundError also for an event of another account, and for one that is no longer kept */
export async function findEventRow(
  source: Pick<Database, 'query'>,
  { environment, accountId, id }: Owner & { readonly id: string },
): Promise<EventRow> {
  const [row] = await source.query<EventRow>(
    `select id, name, data_id, subject, payload from event_log
      where environment = $1 and account_id = $2 and id = $3`,
    [environment, accountId, id],
    'event-log-find',
  );
  if (!row) throw new NotFoundError('event');
  return row;
}

/** @throws NotFoundError */
export async function getEvent(
  database: Database,
  request: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  return { event: toLoggedEvent(recordedEvent(await findEventRow(database, request)), request) };
}

/**
 * From when on the log has every event: from its migration, and from the oldest day that is kept. A day is dropped within
 * an hour after it is no longer counted here.
 */
export async function getEventLogStart(
  database: Database,
  eventLogDays: EventLogDays,
  { environment }: RequestOf<typeof startContract>,
): Promise<ReplyOf<typeof startContract>> {
  const [start] = await database.query<{ since: number }>(
    `select ceil(extract(epoch from greatest(
       (select executed_at from migration where name = $1),
       date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - make_interval(hours => 24 * $2))))::bigint as since`,
    [eventLog.name, eventLogDays[environment]],
  );
  if (!start) throw new Error('the database has no clock');
  return start;
}

/** What was made of one event for the endpoints of its account. @throws NotFoundError */
export async function listEventDeliveries(
  database: Database,
  request: RequestOf<typeof deliveriesContract>,
): Promise<ReplyOf<typeof deliveriesContract>> {
  const { id, data_id: dataId } = await findEventRow(database, request);
  const rows = await database.query<DeliveryRow>(
    `select ${deliveryColumns} from ${deliverySource} where d.data_id = $1 and d.event_id = $2 order by d.id desc`,
    [dataId, id],
  );
  return { deliveries: rows.map(toDelivery) };
}
