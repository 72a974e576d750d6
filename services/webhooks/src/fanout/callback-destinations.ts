import { idOf, type Environment } from '@gateway/contracts';
import type { SecretBox } from '@gateway/service-kit';
import type { Callback } from '#src/fanout/public-event.ts';
import type { ReceivedEvent } from '#src/fanout/draft.ts';
import type { Destination } from '#src/fanout/registered-destinations.ts';
import { callbackSecretOwner } from '#src/endpoints/callback-secret-owner.ts';
import { newSecret } from '#src/endpoints/secret.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';

interface Called {
  readonly received: ReceivedEvent;
  readonly callback: Callback;
  readonly origin: string;
}

/** Origins of one account, per environment, that have a lane of their own at a time; further ones share a lane. */
export const callbackOriginsMax = 64;
/** Stands for the origins beyond those; no URL has it. */
const sharedOrigin = 'others';
/** An endpoint that is being removed at the same moment is made again. */
const ensureAttemptsMax = 3;

/**
 * Where the creators of records want to be told of them. All callbacks of an account to one origin share an endpoint,
 * and with it a lane: their URLs differ, the receiver that may be slow or away is the same. The endpoint goes with its
 * last delivery (`removeIdleCallbacks`).
 */
export async function callbackDestinations(
  tx: PreparedTx,
  events: readonly ReceivedEvent[],
  secretBox: SecretBox,
): Promise<readonly Destination[]> {
  const called = events.flatMap(calledOf);
  if (called.length === 0) return [];
  const secrets = await ensureSecrets(tx, called, secretBox);
  const endpoints = await ensureEndpoints(tx, called);
  return called.flatMap(({ received, callback, origin }) => {
    const id = endpoints.get(keyOf({ received, callback, origin }));
    if (id === undefined) return [];
    const { url, apiVersion } = callback;
    const owner = callbackSecretOwner(received.event);
    const secret = { sealed_secret: secrets.get(owner) ?? null, secret_owner: owner, next_sealed_secret: null };
    return [
      {
        received,
        reader: { id, apiVersion },
        format: 'native',
        url,
        sending: { url, ...secret, sealed_headers: null },
      },
    ];
  });
}

/** A URL that cannot even be read was refused when the record was made; what is left is checked by every call. */
function calledOf(received: ReceivedEvent): Called[] {
  const { callback } = received.event;
  if (!callback || !URL.canParse(callback.url)) return [];
  return [{ received, callback, origin: new URL(callback.url).origin }];
}

/** An account that has not asked for its secret yet is signed for with one it can only replace. */
async function ensureSecrets(
  tx: PreparedTx,
  called: readonly Called[],
  secretBox: SecretBox,
): Promise<ReadonlyMap<string, string>> {
  const owners = [...new Map(called.map(({ received: { event } }) => [callbackSecretOwner(event), event])).values()];
  const params = [owners.map(({ environment }) => environment), owners.map(({ accountId }) => accountId)];
  const known = await readSecrets(tx, params);
  if (known.size === owners.length) return known;
  await tx.sql(
    `insert into callback_secret (environment, account_id, sealed_secret)
     select * from unnest($1::text[], $2::text[], $3::text[]) on conflict do nothing`,
    [...params, owners.map((owner) => secretBox.seal(newSecret(), callbackSecretOwner(owner)))],
  );
  return await readSecrets(tx, params);
}

/** Sealed, by their owners. */
async function readSecrets(tx: PreparedTx, params: readonly unknown[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.sql<{ environment: Environment; account_id: string; sealed_secret: string }>(
    `select environment, account_id, sealed_secret from callback_secret
      where (environment, account_id) in (select * from unnest($1::text[], $2::text[]))`,
    params,
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
async function ensureEndpoints(tx: PreparedTx, called: readonly Called[]): Promise<ReadonlyMap<string, string>> {
  let missing = called;
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

function ownerOf({ received: { event } }: Called): string {
  return `${event.environment} ${event.accountId}`;
}

function keyOf(called: Called): string {
  return `${ownerOf(called)} ${called.origin}`;
}

interface EndpointOfOrigin {
  readonly id: string;
  /** The origin's own, or the shared one where its account has too many. */
  readonly url: string;
}

/** An id follows from account and origin, so that an endpoint that is made again is the same one, with the same log. */
async function idsOf(tx: PreparedTx, called: readonly Called[]): Promise<ReadonlyMap<string, EndpointOfOrigin>> {
  const known = await tx.sql<{ owner: string; url: string; id: string }>(
    `select environment || ' ' || account_id as owner, url, id from endpoint
      where kind = 'callback' and (environment, account_id) in (select * from unnest($1::text[], $2::text[]))`,
    [called.map(({ received }) => received.event.environment), called.map(({ received }) => received.event.accountId)],
  );
  const byOwner = new Map<string, Map<string, string>>();
  for (const { owner, url, id } of known)
    byOwner.set(owner, (byOwner.get(owner) ?? new Map<string, string>()).set(url, id));
  return new Map(
    called.map((call) => {
      const owner = ownerOf(call);
      const origins = byOwner.get(owner) ?? new Map<string, string>();
      byOwner.set(owner, origins);
      const url = origins.has(call.origin) || origins.size < callbackOriginsMax ? call.origin : sharedOrigin;
      const id = origins.get(url) ?? idOf('webhook', `callback ${owner} ${url}`);
      origins.set(url, id);
      return [keyOf(call), { id, url }];
    }),
  );
}

async function addEndpoints(
  tx: PreparedTx,
  called: readonly Called[],
  ids: ReadonlyMap<string, EndpointOfOrigin>,
): Promise<void> {
  const wanted = called.flatMap((call) => {
    const endpoint = ids.get(keyOf(call));
    return endpoint ? [{ ...endpoint, event: call.received.event }] : [];
  });
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
  );
}

/** Their states; missing are those that were removed in this moment. */
async function lockEndpoints(tx: PreparedTx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.sql<{ id: string; status: string }>(
    'select id, status from endpoint where id = any($1) order by id for key share',
    [ids],
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}
