import { defineEntity, p, type EntityManager, type InferEntity } from '@mikro-orm/core';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ApiVersion, Environment } from '@gateway/contracts/values';
import type { DisabledReason, Webhook, WebhookEvent, WebhookStatus } from '@gateway/contracts/webhooks';
import { EntityColumns, type Database } from '@gateway/persistence';
import type { ConnectorRegistration } from '#src/endpoints/connector-registration.ts';

/** How bodies are written for an endpoint; each format has its encoder in `fanout/encoders.ts`. */
export type EndpointFormat = 'native' | 'connector';

export const Endpoint = defineEntity({
  name: 'Endpoint',
  tableName: 'endpoint',
  properties: {
    id: p.string().primary(),
    environment: p.string().$type<Environment>(),
    accountId: p.string(),
    /** `callback`: made by the gateway for callback URLs; not one of the merchant's webhooks. */
    kind: p.string().$type<'registered' | 'callback'>(),
    format: p.string().$type<EndpointFormat>(),
    name: p.string(),
    url: p.string(),
    /** Empty means all events. */
    events: p.json<WebhookEvent[]>(),
    status: p.string().$type<WebhookStatus>(),
    disabledReason: p.string().$type<DisabledReason>().nullable(),
    apiVersion: p.string().$type<ApiVersion>(),
    sealedSecret: p.string().nullable(),
    /** Takes over at `nextSecretAt`; until then it signs beside the old one. */
    nextSealedSecret: p.string().nullable(),
    nextSecretAt: p.datetime().nullable(),
    /** Of its own headers; their values are sealed together, as JSON. */
    headerNames: p.json<string[]>(),
    sealedHeaders: p.string().nullable(),
    /** Calls per second; its queue keeps to it. */
    rateLimit: p.integer().nullable(),
    /** What bodies in the connector's format repeat. */
    connector: p.json<ConnectorRegistration>().nullable(),
    createdAt: p.datetime(),
    /** Since when it receives what it does: since its registration, or since its events or its status changed. */
    receivesSince: p.datetime(),
  },
});
export type Endpoint = InferEntity<typeof Endpoint>;
type EndpointRow = Readonly<Omit<Endpoint, symbol>>;

export const endpointColumns = new EntityColumns<EndpointRow>(Endpoint);

/** What of an endpoint its owner is shown. */
export const shownMembers = [
  ...(['id', 'environment', 'accountId', 'name', 'url', 'events', 'status', 'disabledReason'] as const),
  ...(['apiVersion', 'headerNames', 'rateLimit', 'createdAt'] as const),
] satisfies readonly (keyof EndpointRow)[];
export type ShownEndpoint = Pick<EndpointRow, (typeof shownMembers)[number]>;

/** The account that owns an endpoint: for a caller, records of another account or environment do not exist. */
export interface Owner {
  readonly environment: Environment;
  readonly accountId: string;
}

/** Environment and account as one text, as queues and permits know their account. */
export function accountKeyOf({ environment, accountId }: Owner): string {
  return `${environment} ${accountId}`;
}

/** Whether these are other events than those; their order means nothing. */
export function isOther(events: readonly WebhookEvent[], others: readonly WebhookEvent[]): boolean {
  return events.length !== others.length || others.some((event) => !events.includes(event));
}

/** @throws NotFoundError also for the endpoints of other accounts, and for those of callback URLs */
export async function findEndpoint(
  em: EntityManager,
  { environment, accountId, id }: Owner & { readonly id: string },
): Promise<Endpoint> {
  const endpoint = await em.findOne(Endpoint, { environment, accountId, id, kind: 'registered' });
  if (!endpoint) throw new NotFoundError('webhook');
  return endpoint;
}

const requireStatement = `
  select from endpoint where environment = $1 and account_id = $2 and id = $3 and kind = 'registered'`;

/** @throws NotFoundError as `findEndpoint` */
export async function requireEndpoint(
  database: Database,
  { environment, accountId, id }: Owner & { readonly id: string },
): Promise<void> {
  const found = await database.query(requireStatement, [environment, accountId, id], 'require-endpoint');
  if (found.length === 0) throw new NotFoundError('webhook');
}

export function toWebhook(endpoint: ShownEndpoint): Webhook {
  return {
    id: endpoint.id,
    environment: endpoint.environment,
    accountId: endpoint.accountId,
    name: endpoint.name,
    url: endpoint.url,
    events: endpoint.events,
    status: endpoint.status,
    disabledReason: endpoint.disabledReason ?? null,
    apiVersion: endpoint.apiVersion,
    headerNames: endpoint.headerNames,
    rateLimitPerSecond: endpoint.rateLimit ?? null,
    createdAt: Math.floor(endpoint.createdAt.getTime() / 1_000),
  };
}
