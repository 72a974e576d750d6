import { expect, test } from 'vitest';
import type { FeedQuery, FeedRow } from '@gateway/contracts/providers';
import type { ChargeInput, Feed, FeedName, ProviderEvent } from '#src/index.ts';
import { accepted, chargeOf, payoutTo, settled, type ProviderUnderTest } from '#src/testing/provider-under-test.ts';
import { rowsOf } from '#src/testing/read-feed.ts';

const paymentsMany = 250;
const paymentsAtOnce = 10;
const marginMs = 1_000;

function feedOf({ provider }: ProviderUnderTest, name: FeedName): Feed | undefined {
  return provider.feeds?.find((feed) => feed.name === name);
}

type Listing =
  | { readonly feed?: never; readonly charge?: never; readonly window?: never }
  | { readonly feed: Feed; readonly charge: ChargeInput; readonly window: () => Pick<FeedQuery, 'from' | 'to'> };

/** A list, a charge that can be paid, and the window of what happens from now on; nothing without a list. */
async function listing(under: ProviderUnderTest): Promise<Listing> {
  const feed = feedOf(under, 'payments');
  if (!feed) return {};
  const charge = chargeOf(under);
  await accepted(under, charge);
  await under.passTime(marginMs);
  return { feed, charge, window: windowFrom(under) };
}

/** From now on to whenever it is asked for. */
function windowFrom({ now }: ProviderUnderTest): () => Pick<FeedQuery, 'from' | 'to'> {
  const from = now();
  return () => ({ from, to: new Date(now().getTime() + marginMs) });
}

async function payOften(under: ProviderUnderTest, charge: ChargeInput, times: number): Promise<Set<string>> {
  const paid = new Set<string>();
  while (paid.size < times) {
    const batch = Math.min(paymentsAtOnce, times - paid.size);
    const receipts = await Promise.all(Array.from({ length: batch }, () => under.pay(charge)));
    for (const { e2eId } of receipts) paid.add(e2eId);
    await under.passTime(100);
  }
  return paid;
}

function eventsOf(feed: Feed, rows: readonly FeedRow[]): readonly ProviderEvent[] {
  return rows.map((row) => feed.read(row)).flatMap((item) => (item.kind === 'pointer' ? item.events : []));
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
      const page = await feed.readPage(windowFrom(under())(), { signal: AbortSignal.abort() });
      expect(page).toMatchObject({ kind: 'unavailable' });
    }
  });
}

function describePages(under: () => ProviderUnderTest): void {
  test('a list of several pages is read to the last one, and the last one ends it', async () => {
    const { feed, charge, window } = await listing(under());
    if (!feed) return;
    const paid = await payOften(under(), charge, paymentsMany);
    const rows = await rowsOf(feed, window());
    const listed = eventsOf(feed, rows).flatMap((event) => (event.type === 'charge.paid' ? [event.e2eId] : []));
    expect(new Set(listed)).toEqual(paid);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(paymentsMany);
  });

  test('a page that is smaller holds the same items, and a window without any is an empty page', async () => {
    const { feed, charge, window } = await listing(under());
    if (!feed) return;
    await payOften(under(), charge, 3);
    const keysOf = async (smaller: { readonly pageItems?: number }) =>
      (await rowsOf(feed, { ...window(), ...smaller })).map(({ key }) => key).sort();
    expect(await keysOf({ pageItems: 1 })).toEqual(await keysOf({}));
    expect(await keysOf({})).toHaveLength(3);
    const before = new Date(window().from.getTime() - 500);
    expect(await feed.readPage({ from: before, to: new Date(before.getTime() + 1) })).toMatchObject({
      ...{ kind: 'page', rows: [], next: null },
    });
  });
}

function describeItems(under: () => ProviderUnderTest): void {
  test('an item has one key and asks the same question, whenever it is listed and read', async () => {
    const { feed, charge, window } = await listing(under());
    if (!feed) return;
    const { e2eId } = await under().pay(charge);
    const ofPayment = async () => {
      const rows = await rowsOf(feed, window());
      return rows.filter(({ raw }) => JSON.stringify(raw).includes(e2eId));
    };
    const first = await ofPayment();
    const stored = JSON.parse(JSON.stringify(first)) as typeof first;
    expect(eventsOf(feed, stored)).toMatchObject([{ type: 'charge.paid', ref: charge.ref, e2eId }]);
    await under().passTime(10_000);
    expect((await ofPayment()).map(({ key }) => key)).toEqual(first.map(({ key }) => key));
  });

  test('what came back of a payout is in the list of payouts', async () => {
    const feed = feedOf(under(), 'payouts');
    const { others, destinations, provider, returnsWhole = false } = under();
    if (!feed || !others) return;
    const payout = payoutTo(under(), destinations.paid);
    const from = new Date(under().now().getTime() - marginMs);
    await provider.createPayout(payout);
    const paid = await settled(under(), payout);
    await others.returnPayout(payout, 400);
    const rows = await rowsOf(feed, { from, to: new Date(under().now().getTime() + marginMs) });
    const isOurs = (event: ProviderEvent) =>
      event.type === 'payout.returned' &&
      (event.ref === payout.ref || (paid.status === 'PAID' && event.e2eId === paid.e2eId));
    expect(eventsOf(feed, rows).filter(isOurs)).toMatchObject([
      { money: { amount: returnsWhole ? payout.money.amount : 400 } },
    ]);
  });
}
