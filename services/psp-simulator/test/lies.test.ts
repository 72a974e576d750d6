import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { chargeInput, payoutInput } from '@gateway/providers/testing';
import type { ChargeInput, PayoutInput } from '@gateway/providers';
import { WireBench, type ProviderId } from './wire-bench.ts';

let bench: WireBench;
beforeAll(async () => {
  bench = await WireBench.start();
  for (const id of ['bacen', 'efi', 'spei', 'woovi'] as const) await bench.register(id);
});
afterAll(async () => bench[Symbol.asyncDispose]());

const currencyOf = { efi: 'BRL', woovi: 'BRL', spei: 'MXN' } as const;
type Lied = keyof typeof currencyOf;

async function chargeAt(id: Lied): Promise<ChargeInput> {
  const charge = chargeInput({ createdAt: bench.now(), money: { currency: currencyOf[id], amount: 5_000 } });
  expect(await bench.provider(id).createCharge(charge)).toMatchObject({ kind: 'accepted' });
  return charge;
}

async function payoutAt(id: Lied): Promise<PayoutInput> {
  const destination =
    id === 'spei'
      ? ({ type: 'clabe', value: '002010077777777771' } as const)
      : ({ type: 'email', value: 'hold@simulator.test' } as const);
  const amount = id === 'spei' ? 7_000_45 : 7_000;
  const payout = payoutInput({ sentAt: bench.now(), destination, money: { currency: currencyOf[id], amount } });
  expect(await bench.provider(id).createPayout(payout)).toMatchObject({ kind: 'accepted' });
  return payout;
}

const heard = async (id: ProviderId, since: number, what: object) =>
  await eventually(() => {
    const found = bench.received
      .slice(since)
      .find(
        ({ provider, events }) =>
          provider === id &&
          events.some((event) => Object.entries(what).every(([k, v]) => event[k as keyof typeof event] === v)),
      );
    if (!found) throw new Error(`no ${JSON.stringify(what)} yet`);
    return found;
  });

describe.each([
  ['efi', 'hint'],
  ['woovi', 'platform'],
] as const)('%s, told as anybody could have it told (%s),', (id, grade) => {
  test('says that a charge was paid which, asked, is open', async () => {
    const charge = await chargeAt(id);
    const since = bench.received.length;
    await bench.control('POST', '/lies', { about: 'payment', reference: charge.ref });
    expect(await heard(id, since, { type: 'charge.paid', ref: charge.ref })).toMatchObject({ ok: true, grade });
    expect(await bench.provider(id).getCharge({ ref: charge.ref, charge })).toEqual({ status: 'OPEN' });
  });

  test('says that a payout failed and came back which, asked, is under way and has not', async () => {
    const payout = await payoutAt(id);
    const since = bench.received.length;
    await bench.control('POST', '/lies', { about: 'transfer', reference: payout.ref, result: 'failed' });
    await bench.control('POST', '/lies', { about: 'return', reference: payout.ref, amount_cents: 100 });
    expect(await heard(id, since, { type: 'payout.failed' })).toMatchObject({ ok: true, grade });
    expect(await heard(id, since, { type: 'payout.returned' })).toMatchObject({ ok: true, grade });
    expect(await bench.provider(id).getPayout({ ref: payout.ref, payout })).toMatchObject({ status: 'PROCESSING' });
    const returns = await bench.provider(id).getPayoutReturns?.({ ref: payout.ref, payout });
    expect(returns).toEqual({ status: 'FOUND', returns: [] });
  });

  test('says that a payment was taken back which, asked, is in no dispute', async () => {
    const charge = await chargeAt(id);
    const { e2eId } = await bench.pay(charge);
    const since = bench.received.length;
    await bench.control('POST', '/lies', { about: 'dispute', reference: e2eId });
    await eventually(() => expect(bench.received.length).toBeGreaterThan(since));
    expect(await bench.provider(id).getDisputes?.({ e2eId, paid: 5_000 })).toEqual({ status: 'NOT_FOUND' });
  });
});

test('spei, signed with the secret of our account, may contradict what it answers when it is asked', async () => {
  const charge = await chargeAt('spei');
  const since = bench.received.length;
  await bench.control('POST', '/lies', { about: 'payment', reference: charge.ref, signing: 'ours' });
  expect(await heard('spei', since, { type: 'charge.paid', ref: charge.ref })).toMatchObject({
    ok: true,
    grade: 'ours',
  });
  expect(await bench.provider('spei').getCharge({ ref: charge.ref, charge })).toEqual({ status: 'OPEN' });
});

test.each(['efi', 'spei', 'woovi'] as const)('%s: what is signed wrongly or not at all is refused', async (id) => {
  const charge = await chargeAt(id);
  const since = bench.received.length;
  for (const signing of ['wrong', 'none']) {
    await bench.control('POST', '/lies', { about: 'payment', reference: charge.ref, signing });
  }
  await eventually(() => expect(bench.received.length).toBeGreaterThanOrEqual(since + 2));
  expect(bench.received.slice(since).filter(({ ok }) => ok)).toEqual([]);
});

test.each(['bacen', 'efi', 'spei', 'woovi'] as const)(
  '%s: a body of any bytes is sent as it is, and none of them is a fact',
  async (id) => {
    for (const body of ['{', '[]', 'null', `{"event":"${'x'.repeat(300)}"}`, '{"pix":[{"endToEndId":"\\u0000"}]}']) {
      const since = bench.received.length;
      await bench.control('POST', '/lies', { about: 'anything', dialect: id, body, signing: 'ours' });
      await eventually(() => expect(bench.received.length).toBeGreaterThan(since));
      const events = bench.received.slice(since).flatMap(({ provider, events: all }) => (provider === id ? all : []));
      expect(events.filter(({ type }) => !['ignored', 'probe', 'unreadable'].includes(type))).toEqual([]);
    }
  },
);

test('a lie is told as often as is asked, and later ones may come first', async () => {
  const charge = await chargeAt('woovi');
  const since = bench.received.length;
  await bench.control('POST', '/lies', { about: 'payment', reference: charge.ref, copies: 3, amount_cents: 1 });
  const amounts = () =>
    bench.received
      .slice(since)
      .flatMap(({ events }) => events.flatMap((event) => (event.type === 'charge.paid' ? [event.money.amount] : [])));
  await eventually(() => expect(amounts().filter((amount) => amount === 1).length).toBeGreaterThanOrEqual(3));
});

test('payments of others can come in thousands, some of them unreadable, and the account’s balance stays', async () => {
  const payout = await payoutAt('woovi');
  await bench.control('POST', `/transfers/${payout.ref}/settle`, { result: 'paid' });
  const before = await bench.provider('woovi').balance();
  await bench.control('POST', '/flood', { dialect: 'woovi', payments: 1_500, unreadable: 3 });
  expect(await bench.provider('woovi').balance()).toEqual(before);
  const { charges } = (await bench.control('GET', `/books?since=${new Date(0).toISOString()}`)) as {
    charges: { payments: unknown[] }[];
  };
  expect(Math.max(...charges.map(({ payments }) => payments.length))).toBe(1_500);
});

test('a payout that was paid months ago comes back, and is found by its own id', async () => {
  const payout = await payoutAt('efi');
  await bench.control('POST', `/transfers/${payout.ref}/settle`, { result: 'paid' });
  await bench.control('POST', `/transfers/${payout.ref}/age`, { days: 89 });
  const { return_id: returnId } = await bench.control('POST', `/transfers/${payout.ref}/return`, { amount_cents: 300 });
  const returns = await bench.provider('efi').getPayoutReturns?.({ ref: payout.ref, payout });
  expect(returns).toMatchObject({ status: 'FOUND', returns: [{ returnId, money: { amount: 300 } }] });
});
