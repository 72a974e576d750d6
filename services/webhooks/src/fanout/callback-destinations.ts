import type { Environment } from '@gateway/contracts/values';
import type { WebhookStatus } from '@gateway/contracts/webhooks';
import { idOf } from '@gateway/money';
import type { SecretBox } from '@gateway/runtime';
import { accountKeyOf, type Owner } from '#src/endpoints/endpoint.ts';
import { callbackSecretOwner, newSecret } from '#src/endpoints/signing-secrets.ts';
import type { Callback } from '#src/fanout/public-events.ts';
import type { Destination, ReceivedEvent } from '#src/fanout/registered-destinations.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';

/** An event whose record has a callback URL. */
interface CallbackEvent {
  readonly received: ReceivedEvent;
  readonly callback: Callback;
  readonly origin: string;
}

/** Origins of one account, per environment, that have a queue of their own at a time; further ones share a queue. */
export const callbackOriginsMax = 64;
/** Stands for the origins beyond those; no URL has this origin. */
const sharedOrigin = 'others';
/** An endpoint that is removed at the same moment is made again. */
const ensureAttemptsMax = 3;

/**
 * The callback URLs of the events' records. All callbacks of an account to one origin share an endpoint, and with it a
 * queue: their URLs differ, but the receiver that may be slow or down is the same. The endpoint is removed after its last
 * delivery (`removeIdleCallbacks`).
 */
export async function callbackDestinations(
  tx: PreparedTx,
  events: readonly ReceivedEvent[],
  secretBox: SecretBox,
): Promise<readonly Destination[]> {
  const callbackEvents = events.flatMap(callbackEventOf);
  if (callbackEvents.length === 0) return [];
  const secrets = await ensureSecrets(tx, callbackEvents, secretBox);
  const endpoints = await ensureEndpoints(tx, callbackEvents);
  return callbackEvents.flatMap(({ received, callback, origin }) => {
    const id = endpoints.get(keyOf({ received, origin }));
    if (id === undefined) return [];
    const { url, apiVersion } = callback;
    const owner = callbackSecretOwner(received.event);
    const secret = { sealedSecret: secrets.get(owner) ?? null, secretOwner: owner, nextSealedSecret: null };
    return [
      {
        received,
        options: { id, apiVersion },
        format: 'native',
        url,
        target: { url, ...secret, sealedHeaders: null },
      },
    ];
  });
}

/** A URL that is not one was refused when the record was made; everything else is checked by every call. */
function callbackEventOf(received: ReceivedEvent): CallbackEvent[] {
  const { callback } = received.event;
  if (!callback || !URL.canParse(callback.url)) return [];
  return [{ received, callback, origin: new URL(callback.url).origin }];
}

/** Callbacks of an account that has not asked for its secret yet are signed with one it can only replace. */
async function ensureSecrets(
  tx: PreparedTx,
  callbackEvents: readonly CallbackEvent[],
  secretBox: SecretBox,
): Promise<ReadonlyMap<string, string>> {
  const owners = [
    ...new Map(callbackEvents.map(({ received: { event } }) => [callbackSecretOwner(event), event])).values(),
  ];
  const params = [owners.map(({ environment }) => environment), owners.map(({ accountId }) => accountId)];
  const known = await readSecrets(tx, params);
  if (known.size === owners.length) return known;
  await tx.sql(
    `insert into callback_secret (environment, account_id, sealed_secret)
     select * from unnest($1::text[], $2::text[], $3::text[]) on conflict do nothing`,
    [...params, owners.map((owner) => secretBox.seal(newSecret(), callbackSecretOwner(owner)))],
    'webhooks-ensure-callback-secrets',
  );
  return await readSecrets(tx, params);
}

/** Sealed, by their owners. */
async function readSecrets(tx: PreparedTx, params: readonly unknown[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.sql<{ environment: Environment; account_id: string; sealed_secret: string }>(
    `select environment, account_id, sealed_secret from callback_secret
      where (environment, account_id) in (select * from unnest($1::text[], $2::text[]))`,
    params,
    'webhooks-read-callback-secrets',
  );
  return new Map(
    rows.map(({ environment, account_id, sealed_secret }) => [
      callbackSecretOwner({ environment, accountId: account_id }),
      sealed_secret,
    ]),
  );
}

/**
 * The endpoint of each origin, by environment, account and origin; locked against its removal until the deliveries that
 * are about to be added are committed.
 */
async function ensureEndpoints(
  tx: PreparedTx,
  callbackEvents: readonly CallbackEvent[],
): Promise<ReadonlyMap<string, string>> {
  let missing = callbackEvents;
  const found = new Map<string, string>();
  for (let attempt = 0; missing.length > 0 && attempt < ensureAttemptsMax; attempt++) {
    const ids = await idsOf(tx, missing);
    await addEndpoints(tx, missing, ids);
    const locked = await lockEndpoints(tx, [...new Set([...ids.values()].map(({ id }) => id))]);
    for (const [key, { id }] of ids) if (locked.get(id) === 'enabled') found.set(key, id);
    missing = missing.filter((call) => !locked.has(ids.get(keyOf(call))?.id ?? ''));
  }
  return found;
}

function keyOf({ received, origin }: Pick<CallbackEvent, 'received' | 'origin'>): string {
  return `${accountKeyOf(received.event)} ${origin}`;
}

interface EndpointOfOrigin {
  readonly id: string;
  /** The origin's own, or the shared one where its account has too many. */
  readonly url: string;
}

/** An id follows from account and origin, so that an endpoint that is made again is the same one, with the same log. */
async function idsOf(
  tx: PreparedTx,
  callbackEvents: readonly CallbackEvent[],
): Promise<ReadonlyMap<string, EndpointOfOrigin>> {
  const known = await tx.sql<{ owner: string; url: string; id: string }>(
    `select environment || ' ' || account_id as owner, url, id from endpoint
      where kind = 'callback' and (environment, account_id) in (select * from unnest($1::text[], $2::text[]))`,
    [
      callbackEvents.map(({ received }) => received.event.environment),
      callbackEvents.map(({ received }) => received.event.accountId),
    ],
    'webhooks-find-callback-endpoints',
  );
  const byOwner = new Map<string, Map<string, string>>();
  for (const { owner, url, id } of known)
    byOwner.set(owner, (byOwner.get(owner) ?? new Map<string, string>()).set(url, id));
  return new Map(
    callbackEvents.map((call) => {
      const owner = accountKeyOf(call.received.event);
      const origins = byOwner.get(owner) ?? new Map<string, string>();
      byOwner.set(owner, origins);
      const url = origins.has(call.origin) || origins.size < callbackOriginsMax ? call.origin : sharedOrigin;
      const id = origins.get(url) ?? callbackEndpointId(owner, url);
      origins.set(url, id);
      return [keyOf(call), { id, url }];
    }),
  );
}

function callbackEndpointId(ownerKey: string, url: string): string {
  return idOf('webhook', `callback ${ownerKey} ${url}`);
}

/**
 * Makes the endpoint of a callback again, for a delivery that is sent once more after the endpoint was removed; locked
 * against its removal until the delivery waits.
 *
 * @returns its status; null when it cannot be made
 */
export async function restoreCallbackEndpoint(
  tx: Pick<PreparedTx, 'sql'>,
  { id, owner, url }: { readonly id: string; readonly owner: Owner; readonly url: string },
): Promise<WebhookStatus | null> {
  const isShared = id === callbackEndpointId(accountKeyOf(owner), sharedOrigin);
  const endpoint = { id, url: isShared ? sharedOrigin : new URL(url).origin, event: owner };
  await insertEndpoints(tx, [endpoint]);
  return (await lockEndpoints(tx, [id])).get(id) ?? null;
}

async function addEndpoints(
  tx: PreparedTx,
  callbackEvents: readonly CallbackEvent[],
  ids: ReadonlyMap<string, EndpointOfOrigin>,
): Promise<void> {
  const wanted = callbackEvents.flatMap((call) => {
    const endpoint = ids.get(keyOf(call));
    return endpoint ? [{ ...endpoint, event: call.received.event }] : [];
  });
  await insertEndpoints(tx, wanted);
}

async function insertEndpoints(
  tx: Pick<PreparedTx, 'sql'>,
  wanted: readonly (EndpointOfOrigin & { readonly event: Owner })[],
): Promise<void> {
  await tx.sql(
    `insert into endpoint (environment, account_id, id, kind, name, url, events, status, api_version, created_at)
     select distinct on (id) environment, account_id, id, 'callback', 'callback', url, '[]'::jsonb, 'enabled', '0.1', now()
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as wanted (environment, account_id, url, id)
      where not exists (select from endpoint e where e.id = wanted.id)
      order by id
     on conflict do nothing`,
    [
      wanted.map(({ event }) => event.environment),
      wanted.map(({ event }) => event.accountId),
      wanted.map(({ url }) => url),
      wanted.map(({ id }) => id),
    ],
    'webhooks-add-callback-endpoints',
  );
}

/** Their statuses; those that were removed in this moment are missing. */
async function lockEndpoints(
  tx: Pick<PreparedTx, 'sql'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WebhookStatus>> {
  const rows = await tx.sql<{ id: string; status: WebhookStatus }>(
    'select id, status from endpoint where id = any($1) order by id for key share',
    [ids],
    'webhooks-lock-callback-endpoints',
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}
