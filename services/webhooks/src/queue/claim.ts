import type { Database, TraceCarrier } from '@gateway/service-kit';
import type { LeasesOf } from '#src/queue/leases.ts';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';

/** Lanes visited by one claim, of all accounts and of one. */
const lanesMax = 32;
const lanesOfOwnerMax = 8;
/** Among so many that have waited longest. */
const candidatesMax = 256;
/** Deliveries one lane gives at once. */
const perLaneMax = 8;
/** Far beyond the longest call: who holds a lease this long is dead. */
export const leaseMs = 30_000;
/** In its last hour a delivery gets an attempt even where the breaker keeps deferring it. */
const lastChance = '1 hour';

/** Which budget the claimed deliveries count against: lanes that are well, or those that are not known to be. */
export type Pool = 'fast' | 'suspect';

/** Where a delivery goes and what signs it. */
export interface Sending {
  /** Null when the endpoint is gone. */
  readonly url: string | null;
  readonly sealed_secret: string | null;
  /** Whom the secret was sealed for. */
  readonly secret_owner: string | null;
  /** The secret that takes over when the overlap of a rotation ends; both sign until then. */
  readonly next_sealed_secret: string | null;
  /** The endpoint's own headers. */
  readonly sealed_headers: string | null;
}

/** One delivery leased to this process, with all that is needed to send it. */
export interface Claimed extends Sending {
  readonly id: string;
  /** Where the row is that holds this lease. Whoever ends the lease writes another one. */
  readonly place: string;
  /** Names this lease; whoever holds a later one ignores what comes of it. */
  readonly lease_owner: string;
  readonly endpoint_id: string;
  /** Environment and account of the endpoint. */
  readonly owner: string;
  readonly event_id: string;
  /** Which of the event's bodies. */
  readonly format: string;
  readonly event: string;
  /** Attempts made before. */
  readonly attempts: number;
  /** Of these, since it was created or sent again by hand. */
  readonly cycle_attempts: number;
  /** Calls its lane may have at once. */
  readonly cap: number;
  /** The lane's breaker is open: this one finds out whether the receiver is back. */
  readonly probe: boolean;
  /** Milliseconds until it expires; not more than zero when it has. */
  readonly remaining_ms: number;
  /** Milliseconds it has been due. */
  readonly lag_ms: number;
  /** As it is stored. Null when the event is older than bodies are kept. */
  readonly body: Buffer | null;
  readonly trace: TraceCarrier | null;
}

let leases = 0;

/** A name no other lease has. */
export function newLeaseOwner(replica: string): string {
  return `${replica}/${leases++}`;
}

/** Whether this process holds, or held, any. */
export function hasLeased(): boolean {
  return leases > 0;
}

export interface ClaimOptions {
  readonly database: Database;
  /** This process. */
  readonly replica: string;
  readonly pool: Pool;
  /** Free slots of the pool. */
  readonly limit: number;
  readonly leasesOf: LeasesOf;
  /** Accounts that have their share of the pool under way: nothing of theirs is claimed. */
  readonly ownersAtShare?: readonly string[];
}

export interface ClaimResult {
  readonly claimed: readonly Claimed[];
  /** More is waiting than there was room for. */
  readonly more: boolean;
}

/**
 * Leases due deliveries, a few of each lane and of a few lanes of each account, the lanes that waited longest first:
 * however much one endpoint, or one account with many, has waiting, the others come in between. The second statement sees what was committed before the lanes were locked;
 * in one statement with the first it would not, and a lane could fall asleep over a delivery that had just arrived.
 */
export async function claimDeliveries({
  database,
  replica,
  pool,
  limit,
  leasesOf,
  ownersAtShare = [],
}: ClaimOptions): Promise<ClaimResult> {
  return await preparedTransaction(database, { durable: false }, async (tx) => {
    const lanes = await tx.sql<{ endpoint_id: string; owner: string }>(
      `select endpoint_id, owner from lane
        where endpoint_id = any(array(
                select endpoint_id from (
                  select endpoint_id, ready_at, row_number() over (partition by owner order by ready_at) as turn from (
                    select endpoint_id, owner, ready_at from lane
                     where suspect = $1 and not halted and ready_at <= now() and owner <> all($3::text[])
                     order by ready_at limit ${candidatesMax}) as waiting
                ) as ranked where turn <= ${lanesOfOwnerMax} order by ready_at limit $2))
          and suspect = $1 and not halted and ready_at <= now()
        order by ready_at limit $2 for update skip locked`,
      [pool === 'suspect', Math.min(lanesMax, limit), ownersAtShare],
    );
    if (lanes.length === 0) return { claimed: [], more: false };
    const share = Math.max(Math.floor(limit / lanes.length), 1);
    const here = lanes.map(({ endpoint_id }) => leasesOf(endpoint_id));
    const claimed = await tx.sql<Claimed>(leaseFromLanes, [
      lanes.map(({ endpoint_id }) => endpoint_id),
      Math.min(perLaneMax, share),
      newLeaseOwner(replica),
      `${leaseMs} milliseconds`,
      lastChance,
      here.map(({ held }) => held),
      here.map(({ most }) => most),
      share,
    ]);
    return { claimed, more: lanes.length === lanesMax || claimed.length >= limit || isAnyCutOff(lanes) };
  });
}

/** Whether there may be more lanes of an account than one claim takes. */
function isAnyCutOff(lanes: readonly { readonly owner: string }[]): boolean {
  return [...Map.groupBy(lanes, ({ owner }) => owner).values()].some((those) => those.length >= lanesOfOwnerMax);
}

/** At least one call at once, else what half a second allows: claims are not made every millisecond. */
function burstOf(rate: string): string {
  return `greatest(interval '500 milliseconds', interval '1 second' / ${rate})`;
}

/** Calls a lane's rate limit leaves now; null without a limit. `spent_until`: the calls made are paid for by then. */
const allowedNow = `
  select floor(extract(epoch from now() + ${burstOf('rate_limit')} - greatest(spent_until, now())) * rate_limit)::integer
    as allowed`;

/**
 * $1 lanes (locked), $2 deliveries per lane, $3 owner, $4 lease, $5 last chance, $6 and $7 leases of each lane held here
 * and at most, $8 deliveries per lane that is claimed ahead of its calls.
 * Retries come before first attempts, and before a held lane is ready only those in their last hour. What was picked is
 * found again by its place, and never by its state: one plan serves lanes with nothing waiting and with a million.
 */
const leaseFromLanes = `
  with visited as (
    select endpoint_id, held_until, breaker, rate_limit, cap, room, allowed,
           least(room, case when ahead is null then $2::integer else $8::integer end, allowed) as take
      from (select * from unnest($1::text[], $6::integer[], $7::integer[]) as leases (endpoint_id, held, most)
             limit cardinality($1)) leases
      join lane using (endpoint_id)
      cross join lateral (${allowedNow}) limited
      cross join lateral (select case when breaker = 'closed' and not suspect and rate_limit is null
        and inflight <= held and most > cap then most - inflight end as ahead) more
      cross join lateral (select greatest(cap - inflight, ahead) as room) free
  ), picked as (
    select waiting.place, visited.cap, visited.breaker = 'open' as probe
      from visited cross join lateral (
        select place from (
          (select d.ctid as place, id, 0 as turn, due_at from delivery d
            where d.endpoint_id = visited.endpoint_id and state = 0 and attempts > 0 and due_at <= now()
              and (visited.held_until <= now() or ${inLastChance('$5')})
            order by due_at, id limit greatest(visited.take, 0))
          union all
          (select d.ctid, id, 1, due_at from delivery d
            where d.endpoint_id = visited.endpoint_id and state = 0 and attempts = 0 and due_at <= now()
              and (visited.held_until <= now() or ${inLastChance('$5')})
            order by due_at, id limit greatest(visited.take, 0))
        ) due order by turn, due_at, id limit greatest(visited.take, 0)
      ) waiting
  ), leased as (
    update delivery d set state = 1, lease_owner = $3, lease_until = now() + $4::interval
      from picked where d.ctid = picked.place and d.state + 0 = 0
    returning d.id, d.ctid as place, d.lease_owner, d.endpoint_id, d.event_id, d.format, d.event, d.attempts,
              d.attempts - d.attempts_before as cycle_attempts, d.created_at, d.expires_at, d.due_at, d.url,
              picked.probe, picked.cap
  ), moved as (
    update lane set
        inflight = inflight + got.count,
        saturated = got.count >= visited.room,
        spent_until = case when visited.rate_limit is null then lane.spent_until
          else greatest(lane.spent_until, now()) + got.count * interval '1 second' / visited.rate_limit end,
        ready_at = case
          when got.count >= visited.room then 'infinity'
          when got.count >= visited.allowed then greatest(lane.spent_until, now())
            + (got.count + 1) * interval '1 second' / visited.rate_limit - ${burstOf('visited.rate_limit')}
          when visited.held_until > now() then visited.held_until
          when got.count >= visited.take then now()
          else coalesce(
            least(
              (select due_at from delivery d where d.endpoint_id = visited.endpoint_id
                  and state = 0 and attempts = 0 and due_at > now() order by due_at limit 1),
              (select due_at from delivery d where d.endpoint_id = visited.endpoint_id
                  and state = 0 and attempts > 0 and due_at > now() order by due_at limit 1)
            ), 'infinity')
        end
      from visited
      cross join lateral (
        select count(*)::smallint as count from leased where leased.endpoint_id = visited.endpoint_id
      ) got
     where lane.endpoint_id = visited.endpoint_id
  )
  select leased.id, leased.place::text as place, leased.lease_owner, leased.endpoint_id, leased.event_id, leased.format, leased.event, leased.attempts, leased.cycle_attempts,
         leased.probe, leased.cap,
         (extract(epoch from leased.expires_at - now()) * 1000)::float8 as remaining_ms,
         (extract(epoch from now() - leased.due_at) * 1000)::float8 as lag_ms,
         case when endpoint.kind = 'callback' then leased.url else endpoint.url end as url,
         case when endpoint.next_secret_at <= now() then endpoint.next_sealed_secret
              else coalesce(endpoint.sealed_secret, callback_secret.sealed_secret) end as sealed_secret,
         case when endpoint.kind = 'callback' then 'callback ' || endpoint.environment || ' ' || endpoint.account_id
              else endpoint.id end as secret_owner,
         case when endpoint.next_secret_at > now() then endpoint.next_sealed_secret end as next_sealed_secret,
         coalesce(endpoint.environment || ' ' || endpoint.account_id, '') as owner,
         endpoint.sealed_headers, event.body, event.trace
    from leased
    left join endpoint on endpoint.id = leased.endpoint_id
    left join callback_secret on endpoint.kind = 'callback' and callback_secret.environment = endpoint.environment
                             and callback_secret.account_id = endpoint.account_id
    left join event on event.id = leased.event_id and event.format = leased.format
                   and event.created_at = leased.created_at`;

function inLastChance(interval: string): string {
  return `(expires_at <= now() + ${interval}::interval
           and (attempted_at is null or attempted_at < expires_at - ${interval}::interval))`;
}
