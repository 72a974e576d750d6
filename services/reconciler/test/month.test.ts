import { beforeEach, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import type { Items, Line } from '#src/matching/items.ts';
import { sweep } from '#src/matching/sweep.ts';
import { arrive, booked, compare, line, matchesOf, noon, openBooks, record } from './books.ts';

const database = await openBooks();
beforeEach(async () => compare(database));

/** The same month again: RECONCILER_SEED=…, as the name of the test has it. */
const seed = Number(process.env['RECONCILER_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

/** Mulberry32. */
function randomOf(state: number): () => number {
  let next = state;
  return () => {
    next = (next + 0x6d2b79f5) | 0;
    let mixed = Math.imul(next ^ (next >>> 15), 1 | next);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const days = 30;
const perDay = 12;
const dayMs = 86_400_000;
/** Traffic comes in bursts, so that a month of it is entered in a few hundred batches. */
const burstsPerDay = 4;
const burstMs = 30_000;
/** What arrives within it may be entered together. */
const batchMs = 60_000;
const explainedWithinSec = 300;

interface Arrival {
  readonly at: Date;
  readonly items: Items;
}

interface Movement {
  readonly subject: string;
  readonly arrivals: readonly Arrival[];
  /** Minor units that its provider shows a second time. */
  readonly doubled: number;
  /** Its provider shows it wrongly at first, or hours late: that is not ours to explain. */
  readonly isLate: boolean;
}

/** One movement with its three sides, each of which may come later than the others, twice, or wrong at first. */
function movement(day: number, random: () => number): Movement {
  const burst = Math.floor(random() * burstsPerDay) / burstsPerDay;
  const at = new Date(noon.getTime() + (day + burst) * dayMs + random() * burstMs);
  const later = (ms: number) => new Date(at.getTime() + random() * ms);
  const amount = 1 + Math.floor(random() * 100_000);
  const e2eId = `E${Math.floor(random() * 2 ** 48)}`;
  const kind = random() < 0.6 ? 'payment' : random() < 0.5 ? 'refund' : 'payout';
  const [id, sign] = [newId(kind === 'payment' ? 'deposit' : kind), kind === 'payment' ? 1 : -1];
  const command = { payment: 'credit-deposit', refund: 'refund-deposit', payout: 'settle-payout' }[kind];
  const names = kind === 'refund' ? { returnId: e2eId } : { e2eId };
  const fact = { occurredAt: at };
  const exact: Line = line(`line-${id}`, sign * amount, { kind, bookedAt: at, ...names });
  const arrivals: Arrival[] = [
    { at: later(20_000), items: { facts: [record(kind, id, sign * amount, { ...names, ...fact })] } },
    { at: later(20_000), items: { facts: [booked(`${command}:${id}`, sign * amount, fact)] } },
  ];
  const fault = random();
  if (fault < 0.05) arrivals.push({ at: later(60_000), items: { lines: [{ ...exact, amount: exact.amount + 1 }] } });
  const corrected = fault < 0.05 ? { ...exact, revision: 1 } : exact;
  arrivals.push({ at: later(fault < 0.15 ? 20 * 3_600_000 : 60_000), items: { lines: [corrected] } });
  if (fault > 0.9) arrivals.push({ at: later(3_600_000), items: { lines: [corrected] } });
  const isDoubled = fault > 0.96;
  if (isDoubled) arrivals.push({ at: later(60_000), items: { lines: [{ ...exact, lineKey: `copy-${id}` }] } });
  return { subject: `${kind}:${id}`, arrivals, doubled: isDoubled ? amount : 0, isLate: fault < 0.15 };
}

/** Up to forty arrivals that come within a minute. */
function batchAt(arrivals: readonly Arrival[], from: number, random: () => number): readonly Arrival[] {
  const endMs = arrivals[from]!.at.getTime() + batchMs;
  return arrivals.slice(from, from + 1 + Math.floor(random() * 40)).filter(({ at }) => at.getTime() <= endMs);
}

test(`a month of random traffic with all faults of a statement leaves what was doubled unexplained, each line in one match, and all that its provider shows in time explained within five minutes (seed ${seed})`, async () => {
  const random = randomOf(seed);
  const made = Array.from({ length: days * perDay }, (_, index) => movement(Math.floor(index / perDay), random));
  const arrivals = made
    .flatMap((each) => each.arrivals)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  for (let from = 0; from < arrivals.length;) {
    const batch = batchAt(arrivals, from, random);
    from += batch.length;
    const now = batch.at(-1)!.at;
    const items = batch.map((each) => each.items);
    await arrive(
      database,
      { lines: items.flatMap((each) => each.lines ?? []), facts: items.flatMap((each) => each.facts ?? []) },
      now,
    );
    await sweep({ database, now: () => now });
  }
  const end = new Date(noon.getTime() + (days + 2) * dayMs);
  await sweep({ database, now: () => end });
  const doubled = made.filter(({ doubled: amount }) => amount > 0);
  const open = await database.query<{ reason: string; amount: number }>(
    `select reason, abs(amount) as amount from exception where state = 'OPEN'`,
  );
  expect(open.map(({ reason }) => reason)).toEqual(doubled.map(() => 'duplicate_line'));
  expect(open.reduce((sum, { amount }) => sum + amount, 0)).toBe(doubled.reduce((sum, each) => sum + each.doubled, 0));
  const { matches, lines } = await matchesOf(database);
  const states = Map.groupBy(matches, ({ state }) => state);
  expect(states.get('matched')).toHaveLength(made.length);
  expect(states.get('unexplained') ?? []).toHaveLength(doubled.length);
  expect(new Set((lines as { subject: string }[]).map(({ subject }) => subject)).size).toBe(lines.length);
  expect(lines).toHaveLength(made.length + doubled.length);
  const waits = await database.query<{ subject: string; seconds: number }>(
    `select subject, extract(epoch from matched_at - first_seen_at)::float8 as seconds from match where state = 'matched'`,
  );
  const inTime = new Set(waits.filter(({ seconds }) => seconds <= explainedWithinSec).map(({ subject }) => subject));
  expect(made.filter(({ subject, isLate }) => !isLate && !inTime.has(subject))).toEqual([]);
});
