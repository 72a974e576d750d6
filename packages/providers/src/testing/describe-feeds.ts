import { expect, test } from 'vitest';
import type { Feed, FeedName, ProviderEvent } from '#src/index.ts';
import { accepted, chargeOf, payoutTo, settled, type ProviderUnderTest } from '#src/testing/provider-under-test.ts';
import { rowsOf } from '#src/testing/read-feed.ts';

const paymentsMany = 250;
const marginMs = 1_000;

function feedOf({ provider }: ProviderUnderTest, name: FeedName): Feed | undefined {
  return provider.feeds?.find((feed) => feed.name === name);
}

function windowSince({ now }: ProviderUnderTest, from: Date) {
  return { from, to: new Date(now().getTime() + marginMs) };
}

/** Each list is read on its own, in closed windows, to the last page. */
export function describeFeeds(under: () => ProviderUnderTest): void {
  describePages(under);
  describeItems(under);

  test('payments, disputes and payouts have a list each, as far as the provider has them', () => {
    const { capabilities, feeds = [] } = under().provider;
    const names = feeds.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('payments');
    expect(names.includes('payouts')).toBe(capabilities.payout);
    expect(names.includes('disputes')).toBe(capabilities.disputes);
  });

  test('a call whose deadline has passed is no page, and throws nothing', async () => {
    for (const feed of under().provider.feeds ?? []) {
      const page = await feed.readPage(windowSince(under(), under().now()), { signal: AbortSignal.abort() });
      expect(page).toMatchObject({ kind: 'unavailable' });
    }
  });
}

function describePages(under: () => ProviderUnderTest): void {
  test('a list of several pages is read to the last one, and the last one ends it', async () => {
    const feed = feedOf(under(), 'payments');
    if (!feed) return;
    const charge = chargeOf(under());
    await accepted(under(), charge);
    await under().passTime(marginMs);
    const from = under().now();
    const paid = new Set<string>();
    for (let batch = 0; batch < paymentsMany / 10; batch += 1) {
      const receipts = await Promise.all(Array.from({ length: 10 }, () => under().pay(charge)));
      for (const { e2eId } of receipts) paid.add(e2eId);
      await under().passTime(100);
    }
    const rows = await rowsOf(feed, windowSince(under(), from));
    const events = rows.map((row) => feed.read(row)).flatMap((item) => (item.kind === 'asked' ? item.events : []));
    const listed = new Set(events.flatMap((event) => (event.type === 'charge.paid' ? [event.e2eId] : [])));
    expect(listed).toEqual(paid);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(paymentsMany);
  });

  test('a page that is smaller holds the same items, and a window without any is an empty page', async () => {
    const feed = feedOf(under(), 'payments');
    if (!feed) return;
    const charge = chargeOf(under());
    await accepted(under(), charge);
    await under().passTime(marginMs);
    const from = under().now();
    for (let count = 0; count < 3; count += 1) await under().pay(charge);
    const keysOf = async (pageItems?: number) =>
      (await rowsOf(feed, { ...windowSince(under(), from), ...(pageItems ? { pageItems } : {}) }))
        .map(({ key }) => key)
        .sort();
    expect(await keysOf(1)).toEqual(await keysOf());
    expect(await keysOf()).toHaveLength(3);
    const before = new Date(from.getTime() - 500);
    expect(await feed.readPage({ from: before, to: new Date(before.getTime() + 1) })).toMatchObject({
      ...{ kind: 'page', rows: [], next: null },
    });
  });
}

function describeItems(under: () => ProviderUnderTest): void {
  test('an item has one key and says the same, whenever it is listed and read', async () => {
    const feed = feedOf(under(), 'payments');
    if (!feed) return;
    const charge = chargeOf(under());
    await accepted(under(), charge);
    const from = new Date(under().now().getTime() - marginMs);
    const { e2eId, money } = await under().pay(charge);
    const ofPayment = async () => {
      const rows = (await rowsOf(feed, windowSince(under(), from))).filter(({ raw }) =>
        JSON.stringify(raw).includes(e2eId),
      );
      return rows.map((row) => ({ key: row.key, ...feed.read(JSON.parse(JSON.stringify(row)) as typeof row) }));
    };
    const first = await ofPayment();
    expect(first).toMatchObject([{ kind: 'asked', events: [{ type: 'charge.paid', ref: charge.ref, e2eId, money }] }]);
    await under().passTime(10_000);
    expect((await ofPayment()).map(({ key }) => key)).toEqual(first.map(({ key }) => key));
  });

  test('what came back of a payout is in the list of payouts', async () => {
    const feed = feedOf(under(), 'payouts');
    const { others, destinations, provider } = under();
    if (!feed || !others) return;
    const payout = payoutTo(under(), destinations.paid);
    const from = new Date(under().now().getTime() - marginMs);
    await provider.createPayout(payout);
    const paid = await settled(under(), payout);
    await others.returnPayout(payout, 400);
    const rows = await rowsOf(feed, windowSince(under(), from));
    const events = rows.map((row) => feed.read(row)).flatMap((item) => ('events' in item ? item.events : []));
    const isOurs = (event: ProviderEvent) =>
      event.type === 'payout.returned' &&
      (event.ref === payout.ref || (paid.status === 'PAID' && event.e2eId === paid.e2eId));
    expect(events.filter(isOurs)).toMatchObject([{ money: { amount: 400 } }]);
  });
}
