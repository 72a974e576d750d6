import { newId, type Environment } from '@gateway/contracts';
import type { SecretBox } from '@gateway/service-kit';
import type { Callback } from '#src/intake/public-event.ts';
import type { ReceivedEvent } from '#src/intake/draft.ts';
import type { Destination } from '#src/intake/registered-destinations.ts';
import { callbackSecretOwner } from '#src/signatures/callback-secret-owner.ts';
import { newSecret } from '#src/signatures/secret.ts';
import type { PreparedTx } from '#src/lanes/prepared-transaction.ts';

interface Called {
  readonly received: ReceivedEvent;
  readonly callback: Callback;
  readonly origin: string;
}

/**
 * Where the creators of records want to be told of them. All callbacks of an account to one origin share an endpoint,
 * and with it a lane: their URLs differ, the receiver that may be slow or away is the same.
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
    const { environment, accountId } = received.event;
    const id = endpoints.get(`${environment} ${accountId} ${origin}`);
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

async function ensureEndpoints(tx: PreparedTx, called: readonly Called[]): Promise<ReadonlyMap<string, string>> {
  const params = [
    called.map(({ received }) => received.event.environment),
    called.map(({ received }) => received.event.accountId),
    called.map(({ origin }) => origin),
  ];
  await tx.sql(
    `insert into endpoint (environment, account_id, id, kind, name, url, events, status, api_version, created_at)
     select environment, account_id, id, 'callback', 'callback', url, '[]', 'enabled', '0.1', now()
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as wanted (environment, account_id, url, id)
      where not exists (
        select from endpoint e where e.kind = 'callback' and e.environment = wanted.environment
           and e.account_id = wanted.account_id and e.url = wanted.url)
      order by environment, account_id, url
     on conflict (environment, account_id, url) where kind = 'callback' do nothing`,
    [...params, called.map(() => newId('webhook'))],
  );
  const rows = await tx.sql<{ environment: string; account_id: string; url: string; id: string }>(
    `select environment, account_id, url, id from endpoint
      where kind = 'callback' and status <> 'disabled'
        and (environment, account_id, url) in (select * from unnest($1::text[], $2::text[], $3::text[]))`,
    params,
  );
  return new Map(rows.map(({ environment, account_id, url, id }) => [`${environment} ${account_id} ${url}`, id]));
}
