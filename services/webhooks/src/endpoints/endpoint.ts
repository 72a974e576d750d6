import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ApiVersion, DisabledReason, Environment, Webhook, WebhookEvent, WebhookStatus } from '@gateway/contracts';
import type { ConnectorRegistration } from '#src/endpoints/connector-registration.ts';

/** How bodies are written for an endpoint; each has its encoder in `intake/encoders.ts`. */
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
    /** Calls per second; its lane keeps to it. */
    rateLimit: p.integer().nullable(),
    /** What bodies in the connector's format repeat. */
    connector: p.json<ConnectorRegistration>().nullable(),
    createdAt: p.datetime(),
  },
});
export type Endpoint = InferEntity<typeof Endpoint>;

/** Whose endpoints: a record of another account or environment does not exist (api.md 1). */
export interface Owner {
  readonly environment: Environment;
  readonly accountId: string;
}

export function toWebhook(endpoint: Omit<Endpoint, 'kind' | 'format' | 'connector' | 'sealedHeaders'>): Webhook {
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
