import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { listOutcomes, RecordEvent, RecordEventOutcome } from '@gateway/contracts/webhooks';
import type { Database } from '@gateway/persistence';
import type { Endpoint } from '#src/endpoints/endpoint.ts';
import { hasConnectorBody } from '#src/fanout/encoders.ts';
import { deliveryState } from '#src/queue/delivery-job.ts';

type Destination = RecordEventOutcome['destinations'][number];

interface EndpointRow extends Pick<Endpoint, 'id' | 'accountId' | 'events' | 'status' | 'format'> {
  readonly receivesSinceMs: number;
}

const endpointsSql = `
  select id, endpoint.account_id as "accountId", events, status, format,
    floor(extract(epoch from receives_since) * 1000)::bigint as "receivesSinceMs"
  from unnest($2::text[]) as asked(account_id)
  join endpoint on environment = $1 and endpoint.account_id = asked.account_id
  where kind = 'registered' order by id`;

interface DeliveryRow {
  readonly recordId: string;
  readonly event: string;
  readonly endpointId: string;
  readonly state: number;
}

const deliveriesSql = `
  select data_id as "recordId", event, endpoint_id as "endpointId", (array_agg(state order by id desc))[1] as state
  from unnest($1::text[]) as asked(record_id) cross join lateral (
    select data_id, event, endpoint_id, state, id from delivery where data_id = asked.record_id offset 0
  ) found
  group by 1, 2, 3`;

/** Clocks of services differ by less. An endpoint that changed so shortly before an event need not have it. */
const clocksDifferMs = 15_000;

/**
 * What became of events, by what is stored of their deliveries. Which endpoints should have an event follows from how
 * they are registered now, and since when.
 */
export async function readOutcomes(
  database: Database,
  { environment, events }: RequestOf<typeof listOutcomes>,
): Promise<ReplyOf<typeof listOutcomes>> {
  const accounts = [...new Set(events.map(({ accountId }) => accountId))];
  const endpoints = await database.query<EndpointRow>(endpointsSql, [environment, accounts], 'outcome-endpoints');
  const byAccount = Map.groupBy(endpoints, ({ accountId }) => accountId);
  const expected = events.filter(({ accountId }) => byAccount.has(accountId));
  const ids = [...new Set(expected.map(({ recordId }) => recordId))];
  const rows = ids.length === 0 ? [] : await database.query<DeliveryRow>(deliveriesSql, [ids], 'outcome-deliveries');
  const deliveries = new Map(rows.map((row) => [keyOf(row), row]));
  const outcomes = events.map((event) => {
    const { recordId, event: name, accountId } = event;
    const destinations = (byAccount.get(accountId) ?? []).map((endpoint): Destination => {
      const found = deliveries.get(keyOf({ recordId, event: name, endpointId: endpoint.id }));
      if (found) return { endpointId: endpoint.id, status: statusOf(found.state), reason: null };
      return { endpointId: endpoint.id, status: null, reason: reasonFor(endpoint, event) };
    });
    return { recordId, event: name, destinations };
  });
  return { outcomes };
}

function keyOf({ recordId, event, endpointId }: Pick<DeliveryRow, 'recordId' | 'event' | 'endpointId'>): string {
  return `${recordId} ${event} ${endpointId}`;
}

function statusOf(state: number): NonNullable<Destination['status']> {
  if (state === deliveryState.delivered) return 'DELIVERED';
  return state === deliveryState.failed ? 'FAILED' : 'PENDING';
}

function reasonFor(
  { events, status, format, receivesSinceMs }: EndpointRow,
  { event, currency, atMs }: RecordEvent,
): Destination['reason'] {
  if (events.length > 0 && !events.includes(event)) return 'not_wanted';
  if (status === 'disabled') return 'disabled';
  if (receivesSinceMs > atMs - clocksDifferMs) return 'since_later';
  return format === 'connector' && !hasConnectorBody(event, currency) ? 'not_in_format' : null;
}
