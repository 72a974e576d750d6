import { newId } from '@gateway/contracts';
import { deliveryState } from '#src/deliveries/delivery-row.ts';
import type { Draft } from '#src/fanout/draft.ts';
import { leaseMs } from '#src/queue/claim.ts';
import type { Granted } from '#src/queue/grant-leases.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';

/** How long a delivery is tried (spec 6, rule 2). */
const deliveryLifetime = '24 hours';

/** A delivery to be, and whether it is leased to this process from its beginning. */
export interface Planned {
  readonly id: string;
  readonly draft: Draft;
  readonly leased: boolean;
}

export interface Added extends Planned {
  /** Where its row is. */
  readonly place: string;
}

/** The first of each endpoint get the leases it was granted. */
export function planDeliveries(drafts: readonly Draft[], granted: ReadonlyMap<string, Granted>): readonly Planned[] {
  const left = new Map([...granted].map(([endpointId, { leases }]) => [endpointId, leases]));
  return drafts.map((draft) => {
    const leases = left.get(draft.endpointId) ?? 0;
    if (leases > 0) left.set(draft.endpointId, leases - 1);
    return { id: newId('delivery'), draft, leased: leases > 0 };
  });
}

/** @returns those their endpoints had not been given before */
export async function addDeliveries(
  tx: PreparedTx,
  planned: readonly Planned[],
  leaseOwner: string,
): Promise<readonly Added[]> {
  const added = await tx.sql<{ id: string; place: string }>(
    `insert into delivery (id, endpoint_id, event_id, format, data_id, event, url, state, lease_owner, lease_until,
                           due_at, created_at, expires_at)
     select id, endpoint_id, event_id, format, data_id, event, url, state,
            case state when 1 then $10 end, case state when 1 then now() + $11::interval end,
            now(), now(), now() + $9::interval
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::smallint[])
            as draft (id, endpoint_id, event_id, format, data_id, event, url, state)
     on conflict on constraint delivery_once do nothing
     returning id, ctid::text as place`,
    [
      planned.map(({ id }) => id),
      planned.map(({ draft }) => draft.endpointId),
      planned.map(({ draft }) => draft.event.id),
      planned.map(({ draft }) => draft.format),
      planned.map(({ draft }) => draft.event.dataId),
      planned.map(({ draft }) => draft.event.name),
      planned.map(({ draft }) => draft.url),
      planned.map(({ leased }) => (leased ? deliveryState.leased : deliveryState.waiting)),
      deliveryLifetime,
      leaseOwner,
      `${leaseMs} milliseconds`,
    ],
  );
  const places = new Map(added.map(({ id, place }) => [id, place]));
  return planned.flatMap((plan) => {
    const place = places.get(plan.id);
    return place === undefined ? [] : [{ ...plan, place }];
  });
}

/** The event has the delivery's time of creation, which names the partition its body is in. */
export async function addEvents(tx: PreparedTx, added: readonly Planned[]): Promise<void> {
  const bodies = [...new Map(added.map(({ draft }) => [`${draft.event.id} ${draft.format}`, draft])).values()];
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
