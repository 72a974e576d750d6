import { LockMode } from '@mikro-orm/core';
import type { Tx } from '@gateway/persistence';
import type { DisputeFact } from '@gateway/providers';
import { DisputeEntity, type DisputeRow } from '#src/dispute/dispute-entity.ts';

type Source = Pick<DisputeRow, 'environment' | 'provider'>;

type Attributed<Event> =
  { readonly known: DisputeRow | null; readonly event: Event } | { readonly known: DisputeRow; readonly event: null };

interface CountedReturn {
  readonly id: string;
  readonly disputeId: string;
}

/**
 * The dispute that a report is about, and the report with the money that is this dispute's. A provider may report that money
 * went back before it lists the claim for which it went, and under another reference: each return counts once, for the
 * dispute that counted it first.
 *
 * - A claim whose return another dispute has counted is that dispute, and gives it its reference.
 * - A return under a reference of its own belongs to the one open dispute of the payment, where there is one, and else to
 *   one that people entered and stated to be lost.
 * - A return beyond a dispute whose whole amount went back is a dispute of its own.
 * - What a dispute counted before it was won was given back with that: lost again, it loses what has gone since then.
 * - A report of returns that were counted before, all of them, decides nothing: `event` is null.
 * - A return that one report names twice counts once in it.
 *
 * The payment's deposit is locked in `tx`.
 */
export async function attribute<Event extends DisputeFact>(
  tx: Tx,
  source: Source,
  reported: Event,
): Promise<Attributed<Event>> {
  const event = withoutRepeats(reported);
  const named = await findByRef(tx, source, event);
  const returns = event.type === 'dispute.lost' ? (event.returns ?? []) : [];
  if (returns.length === 0) return { known: named, event };
  const counted = await countedOf(tx, source, event);
  const known = named ?? (await holderOf(tx, source, event, counted));
  if (!known) return { known: null, event };
  const fresh = returns.filter(({ id }) => !counted.some((each) => each.id === id));
  const hasCounted = counted.some(({ disputeId }) => disputeId === known.id);
  const last = fresh.at(-1);
  if (hasCounted && last && (await isReturnedWhole(tx, known))) {
    return { known: null, event: { ...event, disputeRef: last.id, returns: fresh, money: moneyOf(event, fresh) } };
  }
  const own =
    known.state === 'WON'
      ? fresh
      : returns.filter(({ id }) => !counted.some((each) => each.id === id && each.disputeId !== known.id));
  if (own.length === 0) return { known, event: null };
  const { disputeRef } = known;
  return { known, event: { ...event, disputeRef, returns: own, money: moneyOf(event, own) } };
}

/** Remembers that the returns of a report count for a dispute, and for no other from then on. */
export async function countReturns(tx: Tx, row: DisputeRow, event: DisputeFact): Promise<void> {
  if (event.type !== 'dispute.lost' || row.verdict !== 'lost') return;
  for (const { id, amount } of event.returns ?? []) {
    await tx.sql(
      `insert into dispute_return (environment, provider, e2e_id, return_id, account_id, dispute_id, amount)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [row.environment, row.provider, row.e2eId, id, row.accountId, row.id, amount],
    );
  }
}

/** True when the returns counted for a lost dispute are all that was disputed: then no further return can be its. */
async function isReturnedWhole(tx: Tx, row: DisputeRow): Promise<boolean> {
  if (row.verdict !== 'lost' || typeof row.lostAmount === 'number') return false;
  const counted = await sumCounted(tx, row);
  // One from before returns were remembered has none on record, and was counted with its own reference.
  return counted === 0n || counted >= BigInt(row.amount);
}

async function sumCounted(tx: Tx, { environment, id }: DisputeRow): Promise<bigint> {
  const [counted] = await tx.sql<{ sum: string }>(
    `select coalesce(sum(amount), 0)::text as sum from dispute_return where environment = $1 and dispute_id = $2`,
    [environment, id],
  );
  return BigInt(counted?.sum ?? 0);
}

/** BACEN makes the id of a return unique within its payment alone, and a dispute that is known by its return has no other. */
async function findByRef(tx: Tx, source: Source, { disputeRef, e2eId }: DisputeFact): Promise<DisputeRow | null> {
  return await tx.em.findOne(
    DisputeEntity,
    { ...source, disputeRef, e2eId },
    { orderBy: { round: 'desc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}

/** A dispute whose reference is a return's has counted it, also from before returns were remembered. */
async function countedOf(tx: Tx, { environment, provider }: Source, event: DisputeFact): Promise<CountedReturn[]> {
  const ids = (event.returns ?? []).map(({ id }) => id);
  return await tx.sql<CountedReturn>(
    `select return_id as id, dispute_id as "disputeId" from dispute_return
     where environment = $1 and provider = $2 and return_id = any($3) and e2e_id in ($4, '')
     union
     select dispute_ref, id from dispute
     where environment = $1 and provider = $2 and dispute_ref = any($3) and e2e_id = $4 and verdict = 'lost'`,
    [environment, provider, ids, event.e2eId],
  );
}

async function holderOf(
  tx: Tx,
  source: Source,
  { disputeRef, e2eId, returns = [] }: DisputeFact,
  [counted]: readonly CountedReturn[],
): Promise<DisputeRow | null> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const isNamedByReturn = returns.some(({ id }) => id === disputeRef);
  if (counted) {
    const holder = await tx.em.findOneOrFail(DisputeEntity, { ...source, id: counted.disputeId }, lock);
    if (!isNamedByReturn && returns.some(({ id }) => id === holder.disputeRef)) tx.em.assign(holder, { disputeRef });
    return holder;
  }
  if (!isNamedByReturn) return null;
  const [open, ...others] = await tx.em.find(DisputeEntity, { ...source, e2eId, verdict: null }, lock);
  if (open) return others.length === 0 ? open : null;
  return await lostByHand(tx, source, e2eId);
}

/** People stated that it was lost before the provider listed its return: the return is what it has lost. */
async function lostByHand(tx: Tx, source: Source, e2eId: string): Promise<DisputeRow | null> {
  const entered = { ...source, e2eId, verdict: 'lost' as const, entry: { $ne: null } };
  const rows = await tx.em.find(DisputeEntity, entered, {
    orderBy: { id: 'asc' },
    lockMode: LockMode.PESSIMISTIC_WRITE,
  });
  for (const row of rows) {
    if ((await sumCounted(tx, row)) < BigInt(row.lostAmount ?? row.amount)) return row;
  }
  return null;
}

function withoutRepeats<Event extends DisputeFact>(event: Event): Event {
  const { returns = [] } = event;
  const once = returns.filter(({ id }, place) => returns.findIndex((each) => each.id === id) === place);
  return once.length === returns.length ? event : { ...event, returns: once, money: moneyOf(event, once) };
}

function moneyOf({ money }: DisputeFact, returns: readonly { readonly amount: number }[]) {
  const amount = returns.reduce((sum, each) => sum + each.amount, 0);
  return money && { ...money, amount };
}
