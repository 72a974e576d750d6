import type { ReplyOf, RequestOf, recoverDeliveries as contract } from '@gateway/contracts';
import type { Database } from '@gateway/service-kit';
import { DomainError } from '@gateway/contracts';
import { rearmDeliveries } from '#src/deliveries/rearm-deliveries.ts';
import { findEndpoint } from '#src/endpoints/find-endpoint.ts';

const batchMax = 1_000;

/**
 * Sends again everything that failed among the deliveries created in a window. Answers how many there are; the work
 * is done in the background, at the pace the receiver allows.
 *
 * @throws NotFoundError; DomainError INVALID_STATE when the endpoint is disabled
 */
export async function recoverDeliveries(
  database: Database,
  { webhookId, since, until, ...owner }: RequestOf<typeof contract>,
  onRecovery: () => void,
): Promise<ReplyOf<typeof contract>> {
  return await database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx.em, { ...owner, id: webhookId });
    if (endpoint.status === 'disabled') throw new DomainError('INVALID_STATE', 'the webhook is disabled');
    const [recovery] = await tx.sql<{ since: Date; until: Date }>(
      `insert into recovery (endpoint_id, since, until)
       values ($1, to_timestamp($2), least(to_timestamp($3), now())) returning since, until`,
      [webhookId, since, until ?? null],
    );
    const [failed] = await tx.sql<{ count: number }>(
      `select count(*) as count from delivery d
        where endpoint_id = $1 and state = 3 and created_at >= $2 and created_at <= $3 and ${bodyIsKept}`,
      [webhookId, recovery?.since, recovery?.until],
    );
    tx.afterCommit(onRecovery);
    return { count: failed?.count ?? 0 };
  });
}

const bodyIsKept = `exists (
  select from event where event.id = d.event_id and event.format = d.format and event.created_at = d.created_at)`;

/** Re-arms a batch of the oldest recovery, the newest window's end never reaching what fails meanwhile. @returns true when there is more */
export async function continueRecovery(database: Database): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const [recovery] = await tx.sql<{ id: number; endpoint_id: string; since: Date; until: Date; created_at: Date }>(
      'select * from recovery order by id limit 1 for update skip locked',
    );
    if (!recovery) return false;
    const failed = await tx.sql<{ id: string }>(
      `select id from delivery d
        where endpoint_id = $1 and state = 3 and created_at >= $2 and created_at <= $3
          and (attempted_at is null or attempted_at <= $4) and ${bodyIsKept}
        order by created_at limit $5`,
      [recovery.endpoint_id, recovery.since, recovery.until, recovery.created_at, batchMax],
    );
    const ids = failed.map(({ id }) => id);
    if (ids.length > 0) await rearmDeliveries(tx, recovery.endpoint_id, ids);
    if (ids.length < batchMax) await tx.sql('delete from recovery where id = $1', [recovery.id]);
    return true;
  });
}
