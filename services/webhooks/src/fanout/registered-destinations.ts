import type { ApiVersion, WebhookEvent } from '@gateway/contracts';
import type { Database, SecretBox } from '@gateway/service-kit';
import { openRegistration, type ConnectorRegistration } from '#src/endpoints/connector-registration.ts';
import type { EndpointFormat } from '#src/endpoints/endpoint.ts';
import type { ReceivedEvent } from '#src/fanout/draft.ts';
import type { Reader } from '#src/fanout/encoder.ts';
import type { Sending } from '#src/queue/claim.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';

/** One endpoint an event is to go to. */
export interface Destination {
  readonly received: ReceivedEvent;
  readonly reader: Reader;
  readonly format: EndpointFormat;
  /** Of callbacks: the delivery's own. */
  readonly url: string | null;
  readonly sending: Sending;
}

interface EndpointRow extends Sending {
  readonly id: string;
  readonly environment: string;
  readonly account_id: string;
  readonly format: EndpointFormat;
  readonly events: readonly WebhookEvent[];
  readonly api_version: ApiVersion;
  readonly connector: ConnectorRegistration | null;
}

/** The webhooks of each event's owner that asked for it. What happens while one is disabled is not recorded for it. */
export async function registeredDestinations(
  tx: PreparedTx,
  events: readonly ReceivedEvent[],
  secretBox: SecretBox,
): Promise<readonly Destination[]> {
  const endpoints = await tx.sql<EndpointRow>(
    `select id, e.environment, e.account_id, format, events, api_version, connector, url, id as secret_owner,
            case when next_secret_at <= now() then next_sealed_secret else sealed_secret end as sealed_secret,
            case when next_secret_at > now() then next_sealed_secret end as next_sealed_secret, sealed_headers
       from (select distinct * from unnest($1::text[], $2::text[]) as owner (environment, account_id)) owner
       join endpoint e on e.environment = owner.environment and e.account_id = owner.account_id
      where kind = 'registered' and status <> 'disabled'
      order by id`,
    [events.map(({ event }) => event.environment), events.map(({ event }) => event.accountId)],
  );
  const byOwner = Map.groupBy(endpoints, (endpoint) => `${endpoint.environment} ${endpoint.account_id}`);
  return events.flatMap((received) =>
    (byOwner.get(`${received.event.environment} ${received.event.accountId}`) ?? [])
      .filter(({ events: wanted }) => wanted.length === 0 || wanted.includes(received.event.name))
      .map((endpoint) => ({ received, ...destinationOf(endpoint, secretBox) })),
  );
}

/**
 * Whether anybody wants to be told of one of these events, seen without a transaction. An endpoint that is registered at
 * the same time comes after them.
 */
export async function isAnyWanted(database: Database, events: readonly ReceivedEvent[]): Promise<boolean> {
  if (events.some(({ event }) => event.callback)) return true;
  const owners = [...new Map(events.map(({ event }) => [`${event.environment} ${event.accountId}`, event])).values()];
  const wanting = await database.query<Pick<EndpointRow, 'environment' | 'account_id' | 'events'>>(
    `select e.environment, e.account_id, e.events
       from unnest($1::text[], $2::text[]) as owner (environment, account_id)
       join endpoint e on e.environment = owner.environment and e.account_id = owner.account_id
      where kind = 'registered' and status <> 'disabled'`,
    [owners.map(({ environment }) => environment), owners.map(({ accountId }) => accountId)],
    'webhooks-wanted',
  );
  return wanting.some(({ environment, account_id, events: wanted }) =>
    events.some(
      ({ event }) =>
        event.environment === environment &&
        event.accountId === account_id &&
        (wanted.length === 0 || wanted.includes(event.name)),
    ),
  );
}

function destinationOf(endpoint: EndpointRow, secretBox: SecretBox): Omit<Destination, 'received'> {
  const { id, format, api_version, connector, url, sealed_secret, secret_owner } = endpoint;
  const { next_sealed_secret, sealed_headers } = endpoint;
  return {
    reader: { id, apiVersion: api_version, connector: openRegistration(connector, id, secretBox) },
    format,
    url: null,
    sending: { url, sealed_secret, secret_owner, next_sealed_secret, sealed_headers },
  };
}
