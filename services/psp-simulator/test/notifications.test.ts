import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { chargeInput, payoutInput, refundInput } from '@gateway/providers/testing';
import type { ChargeInput, ProviderEvent } from '@gateway/providers';
import { magicNotificationFaults } from '#src/faults/magic.ts';
import { WireBench, type ProviderId } from './wire-bench.ts';

const amountOf = (fault: string): number =>
  Number(Object.entries(magicNotificationFaults).find(([, name]) => name === fault)?.[0]);

let bench: WireBench;
beforeAll(async () => {
  bench = await WireBench.start();
  for (const id of ['bacen', 'efi', 'woovi'] as const) await bench.register(id);
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});
beforeEach(() => {
  bench.received.length = 0;
  bench.doorStatus = 200;
});

/** The simulator's account has one address per key: the address that was registered last is notified. */
async function chargeAt(id: ProviderId, amount = 1990): Promise<ChargeInput> {
  if (id !== 'woovi') await bench.register(id);
  const charge = chargeInput({ createdAt: bench.now(), money: { currency: 'BRL', amount } });
  await bench.provider(id).createCharge(charge);
  return charge;
}

const paidWith = (id: ProviderId, ref: string): ProviderEvent[] =>
  bench.eventsOf(id).filter((event) => event.type === 'charge.paid' && event.ref === ref);

describe.each([
  ['bacen', 'hint'],
  ['efi', 'hint'],
  ['woovi', 'ours'],
] as const)('payments at %s', (id, grade) => {
  test(`are notified, as ${grade}, with payer and amount`, async () => {
    const charge = await chargeAt(id);
    const receipt = await bench.pay(charge);
    await eventually(() => expect(paidWith(id, charge.ref)).not.toHaveLength(0));
    expect(paidWith(id, charge.ref)[0]).toMatchObject({
      ...{ ref: charge.ref, e2eId: receipt.e2eId, money: charge.money, at: receipt.paidAt },
      payer: { name: 'FULANO DE TAL', document: '12345678909' },
    });
    expect(bench.received.every(({ ok, grade: given }) => ok && given === grade)).toBe(true);
  });

  test('duplicated, they have one dedupe key', async () => {
    const charge = await chargeAt(id, amountOf('duplicated'));
    await bench.pay(charge);
    await eventually(() => expect(paidWith(id, charge.ref).length).toBeGreaterThanOrEqual(2));
    expect(new Set(paidWith(id, charge.ref).map(({ dedupeKey }) => dedupeKey)).size).toBe(1);
  });

  test('lost, they are found by lookup and list under the same dedupe key', async () => {
    const charge = await chargeAt(id, amountOf('lost'));
    const { e2eId } = await bench.pay(charge);
    const state = await bench.provider(id).getCharge({ ref: charge.ref, charge });
    expect(state).toMatchObject({ status: 'PAID', receipts: [{ e2eId, money: charge.money }] });
    const listed = await bench.listed(id);
    expect(listed.find((event) => event.type === 'charge.paid' && event.ref === charge.ref)).toMatchObject({
      dedupeKey: `${id}:pix:${e2eId}`,
    });
    expect(paidWith(id, charge.ref)).toHaveLength(0);
  });

  test('reordered, a later one comes first', async () => {
    const early = await chargeAt(id, amountOf('reordered'));
    const late = await chargeAt(id);
    await bench.pay(early);
    await bench.pay(late);
    await eventually(() => expect(paidWith(id, late.ref)).not.toHaveLength(0));
    expect(paidWith(id, early.ref)).toHaveLength(0);
    await bench.passTime(2_000);
    await eventually(() => expect(paidWith(id, early.ref)).not.toHaveLength(0));
  });

  test('are repeated until the door answers 2xx', async () => {
    const charge = await chargeAt(id);
    bench.doorStatus = 503;
    await bench.pay(charge);
    await eventually(() => expect(paidWith(id, charge.ref).length).toBeGreaterThanOrEqual(2));
    bench.doorStatus = 200;
    await eventually(async () => {
      const { notifications } = (await bench.control('GET', '/notifications')) as {
        notifications: { body: string; state: string }[];
      };
      const ours = notifications.filter(({ body }) => body.includes(charge.ref));
      expect(ours.map(({ state }) => state)).toEqual(ours.map(() => 'DELIVERED'));
    });
  });

  test('late, again or of another amount are told as they came', async () => {
    const charge = await chargeAt(id);
    await bench.passTime(3_601_000);
    await bench.pay(charge, { late: true });
    await bench.pay(charge, { amount_cents: 1989 });
    await bench.passTime(2_000);
    const state = await bench.provider(id).getCharge({ ref: charge.ref, charge });
    expect(state.status === 'PAID' && state.receipts.map(({ money }) => money.amount).sort()).toEqual([1989, 1990]);
    await eventually(() => expect(paidWith(id, charge.ref).length).toBeGreaterThanOrEqual(2));
    expect(new Set(paidWith(id, charge.ref).map(({ dedupeKey }) => dedupeKey)).size).toBe(2);
  });
});

describe.each(['efi', 'woovi'] as const)('payouts at %s', (id) => {
  test.each([
    ['somebody@example.com', { type: 'payout.paid' }],
    ['fail@simulator.test', { type: 'payout.failed' }],
  ])('to %s end in a notification', async (key, expected) => {
    await bench.register(id);
    const payout = payoutInput({ sentAt: bench.now(), destination: { type: 'email', value: key } });
    await bench.provider(id).createPayout(payout);
    await bench.passTime(1_000);
    await eventually(() =>
      expect(bench.eventsOf(id)).toContainEqual(expect.objectContaining({ ...expected, ref: payout.ref })),
    );
  });
});

describe.each(['efi', 'woovi'] as const)('%s', (id) => {
  test('tells every part of a payout that comes back, by notification and in its list', async () => {
    await bench.register(id);
    const destination = { type: 'email', value: 'somebody@example.com' } as const;
    const money = { currency: 'BRL', amount: 7000_43 } as const;
    const payout = payoutInput({ sentAt: bench.now(), destination, money });
    await bench.provider(id).createPayout(payout);
    await bench.passTime(1_000);
    const lookup = { ref: payout.ref, payout };
    const e2eId = await eventually(async () => {
      const state = await bench.provider(id).getPayout(lookup);
      if (state.status !== 'PAID') throw new Error(`the payout is ${state.status}`);
      return state.e2eId;
    });
    const parts = (events: readonly ProviderEvent[]) =>
      events.flatMap((event) => (event.type === 'payout.returned' && event.e2eId === e2eId ? [event] : []));
    await eventually(() => expect(parts(bench.eventsOf(id))).toHaveLength(2));
    expect(parts(bench.eventsOf(id)).reduce((sum, event) => sum + event.money.amount, 0)).toBe(7000_43);
    const keysOf = (events: readonly ProviderEvent[]) => parts(events).map(({ dedupeKey }) => dedupeKey);
    expect(keysOf(await bench.listed(id)).sort()).toEqual(keysOf(bench.eventsOf(id)).sort());
    const asked = await bench.provider(id).getPayoutReturns?.(lookup);
    const returnIds = asked?.status === 'FOUND' ? asked.returns.map(({ returnId }) => returnId) : [];
    expect(returnIds.sort()).toEqual(
      parts(bench.eventsOf(id))
        .map(({ returnId }) => returnId)
        .sort(),
    );
  });
});

describe('Woovi', () => {
  test('tells that a charge has ended unpaid', async () => {
    const charge = await chargeAt('woovi');
    await bench.passTime(3_601_000);
    await eventually(() =>
      expect(bench.eventsOf('woovi')).toContainEqual(
        expect.objectContaining({ type: 'charge.expired', ref: charge.ref }),
      ),
    );
  });

  test('registers each event once, however often the gateway starts', async () => {
    const count = async () => {
      const response = await fetch(`${bench.url}/api/v1/webhook`, { headers: { authorization: 'AppId_simulator' } });
      return ((await response.json()) as { webhooks: unknown[] }).webhooks.length;
    };
    const before = await count();
    await bench.register('woovi');
    expect(await count()).toBe(before);
  });
});

/** Woovi names the payment that goes back, and not the refund. */
const named = (id: ProviderId, ref: string, e2eId: string) => (id === 'woovi' ? { e2eId } : { ref });

describe.each(['bacen', 'efi', 'woovi'] as const)('refunds at %s', (id) => {
  test.each([
    [500, 'refund.done'],
    [7000_51, 'refund.failed'],
  ] as const)('of %i end as %s', async (amount, type) => {
    const charge = await chargeAt(id, 8000_00);
    const { e2eId } = await bench.pay(charge);
    const money = { currency: 'BRL', amount } as const;
    const refund = refundInput({ sentAt: bench.now(), receipt: { e2eId, chargeRef: charge.ref }, money });
    await bench.provider(id).refund(refund);
    await bench.passTime(1_000);
    await eventually(() =>
      expect(bench.eventsOf(id)).toContainEqual(expect.objectContaining({ type, ...named(id, refund.ref, e2eId) })),
    );
    const state = await bench.provider(id).getRefund({ ref: refund.ref, refund });
    expect(state.status).toBe(type === 'refund.done' ? 'DONE' : 'FAILED');
  });
});
