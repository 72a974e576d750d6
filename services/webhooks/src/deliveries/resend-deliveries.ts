import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { recoverDeliveries as recoverContract, redeliver as redeliverContract } from '@gateway/contracts/webhooks';
import { type Database, readInTime, type Tx } from '@gateway/persistence';
import {
  deliveryColumns,
  deliverySource,
  isEventOfDelivery,
  toDelivery,
  type DeliveryRow,
} from '#src/deliveries/read-deliveries.ts';
import { requireFewPending } from '#src/deliveries/pending-limit.ts';
import { findEndpoint } from '#src/endpoints/endpoint.ts';
import { deliveryState } from '#src/queue/delivery-job.ts';
import { requeue } from '#src/queue/enqueue.ts';

const tooMuch = { path: 'since', message: 'must be later: too many deliveries would have to be looked at' };
const batchMax = 1_000;

/** Bodies are kept for fewer days than deliveries. */
const bodyIsKept = `exists (select from event where ${isEventOfDelivery})`;

export interface RedeliverDeps {
  readonly database: Database;
  readonly onDue: () => void;
}

/**
 * Sends a delivery again now, whatever its state and due time, with a new schedule. A call under way is left to come to its
 * end.
 *
 * @throws NotFoundError; DomainError INVALID_STATE when the endpoint is disabled or the body is no longer kept
 */
export async function redeliver(
  { database, onDue }: RedeliverDeps,
  request: RequestOf<typeof redeliverContract>,
): Promise<ReplyOf<typeof redeliverContract>> {
  return await database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx.em, { ...request, id: request.webhookId });
    if (endpoint.status === 'disabled') throw new DomainError('INVALID_STATE', 'the webhook is disabled');
    const found = await findDelivery(tx, request);
    if (!found.body_kept) throw new DomainError('INVALID_STATE', 'the body of the delivery is no longer kept');
    await requeue(tx, endpoint.id, [request.id]);
    tx.afterCommit(onDue);
    return { delivery: toDelivery(await findDelivery(tx, request)) };
  });
}

interface FoundDelivery extends DeliveryRow {
  readonly body_kept: boolean;
}

async function findDelivery(tx: Tx, { id, webhookId }: RequestOf<typeof redeliverContract>): Promise<FoundDelivery> {
  const [row] = await tx.sql<FoundDelivery>(
    `select ${deliveryColumns}, ${bodyIsKept} as body_kept
       from ${deliverySource} where d.id = $1 and d.endpoint_id = $2`,
    [id, webhookId],
  );
  if (!row) throw new NotFoundError('delivery');
  return row;
}

const pendingRecoveries =
  'select from recovery r join endpoint e on e.id = r.endpoint_id where e.environment = $1 and e.account_id = $2';

/**
 * Sends again all failed deliveries that were created in a window. Answers how many there are; they are requeued in the
 * background and sent at the pace the receiver allows.
 *
 * @throws NotFoundError; DomainError INVALID_STATE when the endpoint is disabled, RATE_LIMITED while the account counts
 *   another one or has several that are not done; ValidationError on `since` when counting would take too long
 */
export async function recoverDeliveries(
  database: Database,
  { webhookId, since, until, ...owner }: RequestOf<typeof recoverContract>,
  onRecovery: () => void,
): Promise<ReplyOf<typeof recoverContract>> {
  return await readInTime(
    database,
    async (tx) => {
      const endpoint = await findEndpoint(tx.em, { ...owner, id: webhookId });
      if (endpoint.status === 'disabled') throw new DomainError('INVALID_STATE', 'the webhook is disabled');
      await requireFewPending(tx, owner, pendingRecoveries);
      const [recovery] = await tx.sql<{ since: Date; until: Date }>(
        `insert into recovery (endpoint_id, since, until)
       values ($1, to_timestamp($2), least(to_timestamp($3), now())) returning since, until`,
        [webhookId, since, until ?? null],
      );
      const [failed] = await tx.sql<{ count: number }>(
        `select count(*) as count from delivery d
        where endpoint_id = $1 and state = ${deliveryState.failed} and created_at >= $2 and created_at <= $3 and ${bodyIsKept}`,
        [webhookId, recovery?.since, recovery?.until],
      );
      tx.afterCommit(onRecovery);
      return { count: failed?.count ?? 0 };
    },
    tooMuch,
  );
}

/**
 * Requeues a batch of the recovery that has waited longest since its last one. Deliveries that fail after it was asked for are left out, so that it ends.
 *
 * @returns true when there is more
 */
export async function continueRecovery(database: Database): Promise<boolean> {
  // Its turn is over however the batch goes: one that cannot be sent again holds up no other.
  const [next] = await database.query<{ id: number }>(
    `update recovery set served_at = clock_timestamp()
      where id = (select id from recovery order by served_at, id limit 1 for update skip locked) returning id`,
  );
  if (!next) return false;
  return await database.transaction(async (tx) => {
    const [recovery] = await tx.sql<{ id: number; endpoint_id: string; since: Date; until: Date; created_at: Date }>(
      'select * from recovery where id = $1 for update skip locked',
      [next.id],
    );
    if (!recovery) return true;
    const failed = await tx.sql<{ id: string }>(
      `select id from delivery d
        where endpoint_id = $1 and state = ${deliveryState.failed} and created_at >= $2 and created_at <= $3
          and (attempted_at is null or attempted_at <= $4) and ${bodyIsKept}
        order by created_at limit $5`,
      [recovery.endpoint_id, recovery.since, recovery.until, recovery.created_at, batchMax],
    );
    const ids = failed.map(({ id }) => id);
    if (ids.length > 0) await requeue(tx, recovery.endpoint_id, ids);
    if (ids.length < batchMax) await tx.sql('delete from recovery where id = $1', [recovery.id]);
    return true;
  });
}
