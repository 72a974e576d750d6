import type { ApiVersion } from '@gateway/contracts/values';
import type { WebhookEvent } from '@gateway/contracts/webhooks';
import type { Database } from '@gateway/persistence';
import type { SecretBox, TraceCarrier } from '@gateway/runtime';
import { openRegistration, type ConnectorRegistration } from '#src/endpoints/connector-registration.ts';
import { accountKeyOf, type EndpointFormat, type Owner } from '#src/endpoints/endpoint.ts';
import type { BodyOptions } from '#src/fanout/encoders.ts';
import type { PublicEvent } from '#src/fanout/public-events.ts';
import type { DeliveryTarget } from '#src/queue/delivery-job.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';

export interface ReceivedEvent {
  readonly event: PublicEvent;
  /** The event as its service sent it. */
  readonly message: { readonly subject: string; readonly data: unknown };
  /** Deliveries continue this trace. */
  readonly trace: TraceCarrier;
}

/** One endpoint an event goes to. */
export interface Destination {
  readonly received: ReceivedEvent;
  readonly options: BodyOptions;
  readonly format: EndpointFormat;
  /** Of callbacks: the delivery's own URL. */
  readonly url: string | null;
  readonly target: DeliveryTarget;
}

interface EndpointRow extends DeliveryTarget, Owner {
  readonly id: string;
  readonly format: EndpointFormat;
  readonly events: readonly WebhookEvent[];
  readonly apiVersion: ApiVersion;
  readonly connector: ConnectorRegistration | null;
}

/** Endpoints of an account that are not disabled: what happens while one is disabled is not recorded for it. */
const isOpen = `kind = 'registered' and status <> 'disabled'`;

const endpointsStatement = `
  select id, e.environment, e.account_id as "accountId", format, events, api_version as "apiVersion", connector,
         url, id as "secretOwner", sealed_headers as "sealedHeaders",
         case when next_secret_at <= now() then next_sealed_secret else sealed_secret end as "sealedSecret",
         case when next_secret_at > now() then next_sealed_secret end as "nextSealedSecret"
    from (select distinct * from unnest($1::text[], $2::text[]) as owner (environment, account_id)) owner
    join endpoint e on e.environment = owner.environment and e.account_id = owner.account_id
   where ${isOpen}
   order by id`;

/** The endpoints of each event's account that asked for it. */
export async function registeredDestinations(
  tx: PreparedTx,
  events: readonly ReceivedEvent[],
  secretBox: SecretBox,
): Promise<readonly Destination[]> {
  const endpoints = await tx.sql<EndpointRow>(
    endpointsStatement,
    [events.map(({ event }) => event.environment), events.map(({ event }) => event.accountId)],
    'webhooks-find-endpoints',
  );
  const byAccount = Map.groupBy(endpoints, accountKeyOf);
  return events.flatMap((received) =>
    (byAccount.get(accountKeyOf(received.event)) ?? [])
      .filter((endpoint) => wants(endpoint, received.event))
      .map((endpoint) => ({ received, ...destinationOf(endpoint, secretBox) })),
  );
}

/** One endpoint as the destination of events, whatever it subscribes to; undefined when it is gone or disabled. */
export async function destinationsAt(
  tx: PreparedTx,
  { id, environment, accountId }: Owner & { readonly id: string },
  events: readonly ReceivedEvent[],
  secretBox: SecretBox,
): Promise<readonly Destination[] | undefined> {
  const endpoints = await tx.sql<EndpointRow>(
    endpointsStatement,
    [[environment], [accountId]],
    'webhooks-find-endpoints',
  );
  const endpoint = endpoints.find((each) => each.id === id);
  return endpoint && events.map((received) => ({ received, ...destinationOf(endpoint, secretBox) }));
}

/**
 * Whether any endpoint wants one of these events, without a transaction. An endpoint that is registered at the same time
 * counts as registered after them.
 */
export async function isAnyWanted(database: Database, events: readonly ReceivedEvent[]): Promise<boolean> {
  if (events.some(({ event }) => event.callback)) return true;
  const accounts = [...new Map(events.map(({ event }) => [accountKeyOf(event), event])).values()];
  const endpoints = await database.query<Pick<EndpointRow, 'id' | 'environment' | 'accountId' | 'events'>>(
    `select e.id, e.environment, e.account_id as "accountId", e.events
       from unnest($1::text[], $2::text[]) as owner (environment, account_id)
       join endpoint e on e.environment = owner.environment and e.account_id = owner.account_id
      where ${isOpen}`,
    [accounts.map(({ environment }) => environment), accounts.map(({ accountId }) => accountId)],
    'webhooks-wanted',
  );
  return endpoints.some((endpoint) =>
    events.some(({ event }) => accountKeyOf(event) === accountKeyOf(endpoint) && wants(endpoint, event)),
  );
}

/** What happens to an endpoint is not sent to itself. */
function wants({ id, events }: Pick<EndpointRow, 'id' | 'events'>, { name, aboutEndpointId }: PublicEvent): boolean {
  if (id === aboutEndpointId) return false;
  return events.length === 0 || events.includes(name);
}

function destinationOf(endpoint: EndpointRow, secretBox: SecretBox): Omit<Destination, 'received'> {
  const { id, format, apiVersion, connector, url, sealedSecret, secretOwner, nextSealedSecret, sealedHeaders } =
    endpoint;
  return {
    options: { id, apiVersion, connector: openRegistration(connector, id, secretBox) },
    format,
    url: null,
    target: { url, sealedSecret, secretOwner, nextSealedSecret, sealedHeaders },
  };
}
