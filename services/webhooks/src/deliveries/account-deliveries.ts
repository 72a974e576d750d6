import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Environment } from '@gateway/contracts/values';
import type {
  findDeliveries as findContract,
  findWebhookRecord as findRecordContract,
  getAccountDelivery as getContract,
  redeliverAccountDelivery as redeliverContract,
} from '@gateway/contracts/webhooks';
import { allOf, pageOf, wanted, type Condition, type Database, type Tx } from '@gateway/persistence';
import {
  deliveryColumns,
  isEventOfDelivery,
  matching,
  readDetail,
  toDelivery,
  unknownCursor,
  withQueue,
  type DeliveryRow,
  type GetDeliveryDeps,
} from '#src/deliveries/read-deliveries.ts';
import type { RedeliverDeps } from '#src/deliveries/resend-deliveries.ts';
import { Endpoint, type Owner, toWebhook } from '#src/endpoints/endpoint.ts';
import { restoreCallbackEndpoint } from '#src/fanout/callback-destinations.ts';
import { requeue } from '#src/queue/enqueue.ts';

/**
 * Deliveries of an account, whatever endpoint they went to: those to callback URLs have no webhook to be found by, and
 * their endpoint is removed after its last delivery. The event says whose a delivery is, as long as it is kept.
 */
const ownedColumns = `${deliveryColumns}, coalesce(endpoint.environment, event.environment) as environment,
  coalesce(endpoint.account_id, event.account_id) as account_id, event.id is not null as body_kept,
  endpoint.status as endpoint_status`;

function withOwner(deliveries: string): string {
  return `${withQueue(deliveries)} left join endpoint on endpoint.id = d.endpoint_id left join event on ${isEventOfDelivery}`;
}

interface OwnedRow extends DeliveryRow {
  readonly environment: Environment | null;
  readonly account_id: string | null;
  readonly body_kept: boolean;
  readonly endpoint_status: 'enabled' | 'paused' | 'disabled' | null;
}

type FindRequest = RequestOf<typeof findContract>;

/**
 * A page of the deliveries of one record, or of the endpoints that an account has now, newest first.
 *
 * @throws ValidationError naming `cursor` when it is none of them
 */
export async function findDeliveries(database: Database, request: FindRequest): Promise<ReplyOf<typeof findContract>> {
  const { limit, cursor, dataId } = request;
  const within = dataId ?? (await endpointsOf(database, request));
  const inList = dataId === undefined ? 'd.endpoint_id = any($1)' : 'd.data_id = $1';
  if (cursor !== undefined) {
    const [known] = await database.query(`select 1 from delivery d where ${inList} and d.id = $2`, [within, cursor]);
    if (!known) throw unknownCursor('is not the id of a delivery in this list');
  }
  const params: unknown[] = [within, limit + 1];
  const narrowed = allOf([...matching(request), ...wanted('d.id < ?', cursor)], params);
  const owned = allOf(wantedOwner(request), params);
  const chosen =
    dataId === undefined ? newestOfEach(narrowed) : `(select * from delivery d where ${inList} and ${narrowed})`;
  const rows = await database.query<OwnedRow>(
    `select * from (select ${ownedColumns} from ${withOwner(chosen)}) found
      where account_id is not null and ${owned} order by id desc limit $2`,
    params,
  );
  const { rows: page, nextCursor } = pageOf(rows, limit);
  return { deliveries: page.flatMap(toOwned), nextCursor };
}

async function endpointsOf(database: Database, { accountId, environment }: FindRequest): Promise<readonly string[]> {
  const endpoints = await database.query<{ id: string }>(
    'select id from endpoint where environment = any($1) and account_id = $2',
    [environmentsOf(environment), accountId],
  );
  return endpoints.map(({ id }) => id);
}

function environmentsOf(environment: Environment | undefined): readonly Environment[] {
  return environment === undefined ? ['live', 'test'] : [environment];
}

function wantedOwner({ accountId, environment }: FindRequest): readonly Condition[] {
  return [...wanted('account_id = ?', accountId), ...wanted('environment = ?', environment)];
}

/** No more than a page of each endpoint, found by its key: an account may have millions of deliveries. */
function newestOfEach(narrowed: string): string {
  return `(select newest.* from unnest($1::text[]) as listed (id) cross join lateral (
    select * from delivery d where d.endpoint_id = listed.id and ${narrowed} order by d.id desc limit $2) newest)`;
}

function toOwned(row: OwnedRow) {
  const { environment, account_id: accountId } = row;
  return environment === null || accountId === null ? [] : [{ ...toDelivery(row), environment, accountId }];
}

type Found = OwnedRow & { readonly environment: Environment; readonly account_id: string };

/**
 * A delivery of the account by its id alone: its endpoint is one that the account has now, or one that was called.
 *
 * @throws NotFoundError
 */
async function findOwned(
  run: Pick<Tx, 'sql'>,
  { id, accountId, environment }: Pick<RequestOf<typeof getContract>, 'id' | 'accountId' | 'environment'>,
): Promise<Found> {
  const [row] = await run.sql<Found>(
    `select * from (select ${ownedColumns} from ${withOwner('delivery')}
        where d.id = $1 and d.endpoint_id in (
          select id from endpoint where environment = any($2) and account_id = $3
          union select endpoint_id from attempt where delivery_id = $1)) owned
      where account_id = $3 and environment = any($2)`,
    [id, environmentsOf(environment), accountId],
  );
  if (!row) throw new NotFoundError('delivery');
  return row;
}

/** A webhook or a delivery of any account, by its id alone. */
export async function findWebhookRecord(
  database: Database,
  { id }: RequestOf<typeof findRecordContract>,
): Promise<ReplyOf<typeof findRecordContract>> {
  const [row] = await database.query<OwnedRow>(
    `select ${ownedColumns} from ${withOwner('delivery')}
      where d.id = $1 and d.endpoint_id in (select endpoint_id from attempt where delivery_id = $1)`,
    [id],
  );
  const endpoint = await database.reader().findOne(Endpoint, { id, kind: 'registered' });
  return { webhook: endpoint && toWebhook(endpoint), delivery: (row && toOwned(row)[0]) ?? null };
}

/** @throws NotFoundError */
export async function getAccountDelivery(
  { database, secretBox }: GetDeliveryDeps,
  request: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  const found = await findOwned({ sql: database.query.bind(database) }, request);
  const detail = await readDetail({ database, secretBox }, found.endpoint_id, found.id);
  return { delivery: { ...detail, environment: found.environment, accountId: found.account_id } };
}

/**
 * Sends a delivery again now, whatever its state, with a new schedule. A callback's endpoint is made again where it had
 * been removed after its last delivery.
 *
 * @throws NotFoundError; DomainError INVALID_STATE when its endpoint is disabled or removed, or the body no longer kept
 */
export async function redeliverAccountDelivery(
  { database, onDue }: RedeliverDeps,
  request: RequestOf<typeof redeliverContract>,
): Promise<ReplyOf<typeof redeliverContract>> {
  return await database.transaction(async (tx) => {
    const found = await findOwned(tx, request);
    if (!found.body_kept) throw new DomainError('INVALID_STATE', 'the body of the delivery is no longer kept');
    const status = found.url === null ? found.endpoint_status : await restored(tx, found, found.url);
    if (status === null) throw new DomainError('INVALID_STATE', 'the webhook was removed');
    if (status === 'disabled') throw new DomainError('INVALID_STATE', 'the webhook is disabled');
    await requeue(tx, found.endpoint_id, [found.id]);
    tx.afterCommit(onDue);
    const [delivery] = toOwned(await findOwned(tx, request));
    if (!delivery) throw new NotFoundError('delivery');
    return { before: toDelivery(found), delivery };
  });
}

async function restored(tx: Tx, found: Found, url: string): Promise<OwnedRow['endpoint_status']> {
  const owner: Owner = { environment: found.environment, accountId: found.account_id };
  return await restoreCallbackEndpoint(tx, { id: found.endpoint_id, owner, url });
}
