import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sweep } from '#src/matching/sweep.ts';
import type { Fact, Line } from '#src/matching/items.ts';
import { after, arrive, booked, compare, emptyTables, line, matchesOf, openBooks, record } from './books.ts';

const database = await openBooks();

type Item = { readonly line: Line } | { readonly fact: Fact };

const amounts = fc.constantFrom(100, 200, 300);
const few = fc.integer({ min: 1, max: 3 });
const minutes = fc.integer({ min: 0, max: 2 });
const revisions = fc.integer({ min: 0, max: 2 });
const optional = (prefix: string) =>
  fc.option(
    few.map((number) => `${prefix}${number}`),
    { nil: null },
  );

/** Few keys, so that lines are doubled, records share a payment, and amounts and versions differ. */
const anyLine = fc
  .record({ number: few, amount: amounts, kind: fc.constantFrom('payment', 'refund', 'payout', 'other' as const) })
  .chain(({ number, amount, kind }) =>
    fc
      .record({ revision: revisions, at: minutes, e2e: optional('E'), returned: optional('D'), ref: optional('r') })
      .map(({ revision, at, e2e, returned, ref }): Item => {
        const sign = kind === 'refund' || kind === 'payout' ? -1 : 1;
        const keys = { e2eId: e2e, returnId: returned, ourRef: ref };
        const members = { kind, revision, bookedAt: after(at), ...keys, batchKey: number === 3 ? 'B' : null } as const;
        return { line: line(`${number}`, sign * amount, members) };
      }),
  );
const anyPayment = fc
  .record({ number: few, amount: amounts, revision: revisions, e2eId: optional('E'), at: minutes })
  .map(({ number, amount, revision, e2eId, at }): Item => {
    return { fact: record('payment', `dep_${number}`, amount, { revision, e2eId, occurredAt: after(at) }) };
  });
const anyRefund = fc
  .record({ number: few, amount: amounts, revision: revisions, returnId: optional('D'), ourRef: optional('r') })
  .map(({ number, amount, ...members }): Item => ({ fact: record('refund', `rfd_${number}`, -amount, members) }));
const anyPayout = fc
  .record({ number: few, amount: amounts, revision: revisions, e2eId: optional('E'), ourRef: optional('r') })
  .map(({ number, amount, ...members }): Item => ({ fact: record('payout', `pyt_${number}`, -amount, members) }));
const anyLink = fc
  .record({
    number: few,
    amount: amounts,
    kind: fc.constantFrom('dep', 'refund', 'reverse', 'settle', 'fee', 'adjust'),
  })
  .map(({ number, amount, kind }): Item => {
    const ids = {
      ...{ dep: `credit-deposit:dep_${number}`, refund: `refund-deposit:rfd_${number}`, fee: `provider-fee:${number}` },
      ...{ reverse: `reverse-refund:rfd_${number}`, settle: `settle-payout:pyt_${number}`, adjust: `x-y-z:${number}` },
    };
    const sign = kind === 'dep' || kind === 'reverse' ? 1 : -1;
    // A link of the ledger never changes.
    return { fact: booked(ids[kind], sign * (kind === 'dep' ? 100 * number : amount)) };
  });
const batch: Item = { line: line('B', 400, { kind: 'batch' }) };
const anyItem = fc.oneof(anyLine, anyPayment, anyRefund, anyPayout, anyLink, fc.constant(batch));

/** Of the same version of one item there is one, as its source has one. */
const world = fc.uniqueArray(anyItem, { maxLength: 24, selector: versionOf });

function versionOf(item: Item): string {
  if ('line' in item) return `line ${item.line.lineKey} ${item.line.revision}`;
  return `${item.fact.side} ${item.fact.key} ${item.fact.revision}`;
}

/** The world in another order, some of it more than once, in batches of any size. */
const arrivals = world.chain((items) =>
  fc.record({
    items: fc.constant(items),
    shuffled: fc
      .tuple(fc.shuffledSubarray(items, { minLength: items.length }), fc.subarray(items))
      .chain(([all, doubled]) => fc.shuffledSubarray([...all, ...doubled], { minLength: all.length + doubled.length })),
    sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
  }),
);

async function resultOf(batches: readonly (readonly Item[])[]) {
  await emptyTables(database);
  await compare(database);
  for (const items of batches) {
    const lines = items.flatMap((item) => ('line' in item ? [item.line] : []));
    await arrive(database, { lines, facts: items.flatMap((item) => ('fact' in item ? [item.fact] : [])) });
  }
  const matches = await matchesOf(database);
  await sweep({ database, now: () => after(100_000) });
  return { ...matches, ...(await matchesOf(database)) };
}

function inBatches(items: readonly Item[], sizes: readonly number[]): Item[][] {
  const batches: Item[][] = [];
  for (let start = 0; start < items.length;) {
    const size = sizes[batches.length % sizes.length] ?? 1;
    batches.push(items.slice(start, start + size));
    start += size;
  }
  return batches;
}

test('any order of arrival, any doubling and any split into batches give the same matches', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ items, shuffled, sizes }) => {
      const atOnce = await resultOf([items]);
      expect(await resultOf(inBatches(shuffled, sizes))).toEqual(atOnce);
    }),
    { numRuns: 30 },
  );
});

test('every item is in one match: no side gains or loses anything, and what is unexplained has one exception', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ shuffled, sizes }) => {
      await resultOf(inBatches(shuffled, sizes));
      const [sums] = await database.query(
        `select (select coalesce(sum(p_amount), 0)::bigint from match) as p, (select coalesce(sum(l_amount), 0)::bigint from match) as l,
           (select coalesce(sum(r_amount), 0)::bigint from match where kind <> 'batch') as r,
           (select count(*) from match where state in ('unexplained', 'waiting')) as unexplained`,
      );
      const [items] = await database.query(
        `select (select coalesce(sum(amount), 0)::bigint from line) as p, (select coalesce(sum(amount), 0)::bigint from fact where side = 'L') as l,
           (select coalesce(sum(amount), 0)::bigint from fact where side = 'R') as r,
           (select count(*) from exception where state = 'OPEN') as unexplained`,
      );
      expect(sums).toEqual(items);
      const shared = await database.query(
        `select subject from line where subject not like 'line:%' group by provider, currency, subject having count(*) > 1`,
      );
      expect(shared).toEqual([]);
    }),
    { numRuns: 15 },
  );
});
