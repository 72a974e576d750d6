import { counter } from '@gateway/service-kit';
import type { SecretBox } from '@gateway/service-kit';
import type { EndpointFormat } from '#src/endpoints/endpoint.ts';
import { addDeliveries, addEvents, planDeliveries, type Added, type Planned } from '#src/fanout/add-deliveries.ts';
import { callbackDestinations } from '#src/fanout/callback-destinations.ts';
import type { Draft, ReceivedEvent } from '#src/fanout/draft.ts';
import type { Reader } from '#src/fanout/encoder.ts';
import { encoders } from '#src/fanout/encoders.ts';
import { registeredDestinations, type Destination } from '#src/fanout/registered-destinations.ts';
import { sealBody } from '#src/queue/stored-body.ts';
import type { Claimed } from '#src/queue/claim.ts';
import { grantLeases, returnLeases, type Granted, type Wanted } from '#src/queue/grant-leases.ts';
import type { LeasesOf } from '#src/queue/leases.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';
import { deliveryLifetimeMs } from '#src/queue/schedule.ts';

const suppressed = counter(
  'gateway_webhook_duplicates_suppressed_total',
  'Deliveries an endpoint had been given before',
);

/** Room for deliveries that are sent as soon as they are committed, without a claim. */
export interface DirectRoom {
  readonly places: number;
  /** Names their leases. */
  readonly leaseOwner: string;
  readonly leasesOf: LeasesOf;
  /** How many of the places one account may take. */
  readonly placesOf: (owner: string) => number;
}

export interface FannedOut {
  /** Leased to this process, to be sent after the commit. */
  readonly leased: readonly Claimed[];
  /** How many wait for a claim. */
  readonly waiting: number;
}

/**
 * Gives each event to the endpoints that want it: one delivery per endpoint and event, ever. The body is
 * stored once per variant, and only when somebody is to receive it. Deliveries of lanes that are well are leased with
 * the insert, as far as there is room: they need no claim.
 */
export async function fanOut(
  tx: PreparedTx,
  events: readonly ReceivedEvent[],
  secretBox: SecretBox,
  room: DirectRoom,
): Promise<FannedOut> {
  const destinations = [
    ...(await registeredDestinations(tx, events, secretBox)),
    ...(await callbackDestinations(tx, events, secretBox)),
  ];
  const bodies = new Map<string, Buffer | undefined>();
  const drafts = destinations.flatMap((destination) => draftOf(destination, secretBox, bodies));
  if (drafts.length === 0) return { leased: [], waiting: 0 };
  const granted = await grantLeases(tx, wantedOf(drafts, room), room.places);
  const planned = planDeliveries(
    drafts.filter(({ endpointId }) => granted.has(endpointId)),
    granted,
  );
  const added = await addDeliveries(tx, planned, room.leaseOwner);
  suppressed.add(planned.length - added.length);
  await returnLeases(tx, leasesLeft(planned, added));
  if (added.length > 0) await addEvents(tx, added);
  const leased = added.filter((plan) => plan.leased);
  return {
    leased: leased.map((plan) => claimedOf(plan, granted, room.leaseOwner)),
    waiting: added.length - leased.length,
  };
}

/** What each endpoint is to have, and how much of it at once: an account's share goes to its endpoints in turn. */
function wantedOf(drafts: readonly Draft[], room: DirectRoom): Wanted[] {
  const places = new Map<string, number>();
  const counts = new Map<string, { count: number; owner: string }>();
  for (const draft of drafts) {
    const { count } = counts.get(draft.endpointId) ?? { count: 0 };
    counts.set(draft.endpointId, { count: count + 1, owner: ownerOf(draft) });
  }
  return [...counts].map(([endpointId, { count, owner }]) => {
    const left = places.get(owner) ?? room.placesOf(owner);
    const allowed = Math.max(Math.min(left, count), 0);
    places.set(owner, left - allowed);
    return { endpointId, count, allowed, ...room.leasesOf(endpointId) };
  });
}

function ownerOf({ event: { environment, accountId } }: ReceivedEvent): string {
  return `${environment} ${accountId}`;
}

/** @param bodies as they are stored, by event and variant: endpoints with the same variant share them */
function draftOf(
  { received, reader, format, url, sending }: Destination,
  secretBox: SecretBox,
  bodies: Map<string, Buffer | undefined>,
): Draft[] {
  const variant = encoders[format].variantFor(reader);
  const key = `${received.event.id} ${variant}`;
  if (!bodies.has(key)) bodies.set(key, bodyOf(received, reader, format, secretBox));
  const body = bodies.get(key);
  return body ? [{ ...received, endpointId: reader.id, format: variant, body, url, sending }] : [];
}

function bodyOf({ event }: ReceivedEvent, reader: Reader, format: EndpointFormat, secretBox: SecretBox) {
  const { confidential, variantFor, encode } = encoders[format];
  const body = encode(event, reader);
  return body && confidential ? sealBody(body, event.id, variantFor(reader), secretBox) : body;
}

function leasesLeft(planned: readonly Planned[], added: readonly Planned[]): ReadonlyMap<string, number> {
  const kept = new Set(added.map(({ id }) => id));
  const left = new Map<string, number>();
  for (const plan of planned) {
    const { endpointId } = plan.draft;
    if (plan.leased && !kept.has(plan.id)) left.set(endpointId, (left.get(endpointId) ?? 0) + 1);
  }
  return left;
}

function claimedOf({ id, place, draft }: Added, granted: ReadonlyMap<string, Granted>, leaseOwner: string): Claimed {
  const { event, sending, endpointId, format, body, trace } = draft;
  return {
    id,
    place,
    lease_owner: leaseOwner,
    endpoint_id: endpointId,
    owner: ownerOf(draft),
    event_id: event.id,
    format,
    event: event.name,
    attempts: 0,
    cycle_attempts: 0,
    cap: granted.get(endpointId)?.cap ?? 1,
    probe: false,
    remaining_ms: deliveryLifetimeMs,
    lag_ms: 0,
    ...sending,
    body,
    trace,
  };
}
