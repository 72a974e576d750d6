import { newId } from '@gateway/contracts';
import type { Draft } from '#src/intake/draft.ts';
import type { PreparedTx } from '#src/lanes/prepared-transaction.ts';

/** How long a delivery is tried (spec 6, rule 2). */
const deliveryLifetime = '24 hours';

/** A delivery its endpoint had not been given before. */
export interface Added {
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly format: string;
}

export async function addDeliveries(tx: PreparedTx, drafts: readonly Draft[]): Promise<readonly Added[]> {
  return await tx.sql<Added>(
    `insert into delivery (id, endpoint_id, event_id, format, data_id, event, url, due_at, created_at, expires_at)
     select draft.*, now(), now(), now() + $8::interval
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) as draft
     on conflict on constraint delivery_once do nothing
     returning endpoint_id, event_id, format`,
    [
      drafts.map(() => newId('delivery')),
      drafts.map(({ endpointId }) => endpointId),
      drafts.map(({ event }) => event.id),
      drafts.map(({ format }) => format),
      drafts.map(({ event }) => event.dataId),
      drafts.map(({ event }) => event.name),
      drafts.map(({ url }) => url),
      deliveryLifetime,
    ],
  );
}

/** The event has the delivery's time of creation, which names the partition its body is in. */
export async function addEvents(tx: PreparedTx, drafts: readonly Draft[], added: readonly Added[]): Promise<void> {
  const wanted = new Set(added.map(({ event_id, format }) => `${event_id} ${format}`));
  const bodies = drafts.filter(({ event, format }) => wanted.delete(`${event.id} ${format}`));
  await tx.sql(
    `insert into event (id, format, environment, account_id, name, data_id, body, trace, created_at)
     select body.*, now()
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::jsonb[])
            as body`,
    [
      bodies.map(({ event }) => event.id),
      bodies.map(({ format }) => format),
      bodies.map(({ event }) => event.environment),
      bodies.map(({ event }) => event.accountId),
      bodies.map(({ event }) => event.name),
      bodies.map(({ event }) => event.dataId),
      bodies.map(({ body }) => body),
      bodies.map(({ trace }) => JSON.stringify(trace)),
    ],
  );
}

/** In one order for everybody, since each row is locked until the commit. */
export async function wakeLanes(tx: PreparedTx, added: readonly Added[]): Promise<void> {
  const endpointIds = [...new Set(added.map(({ endpoint_id }) => endpoint_id))].toSorted();
  await tx.sql(
    `insert into lane (endpoint_id, ready_at)
     select endpoint_id, now() from unnest($1::text[]) with ordinality as woken (endpoint_id, position) order by position
     on conflict (endpoint_id) do update
       set ready_at = greatest(lane.held_until, least(lane.ready_at, excluded.ready_at))`,
    [endpointIds],
  );
}
