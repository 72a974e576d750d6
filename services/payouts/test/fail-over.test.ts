import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OperatorPayout } from '@gateway/contracts/payouts';
import type { Environment } from '@gateway/contracts/values';
import type { PaymentProvider, PayoutOutcome } from '@gateway/providers';
import { eventually, silentLogger } from '@gateway/test-kit';
import { cancelPayout, refusePayout } from '#src/decisions/decide-payout.ts';
import { getOperatorPayout } from '#src/payout/read-payouts.ts';
import { routeFor } from '#src/providers/payout-routes.ts';
import { ProviderSwitches } from '#src/providers/provider-switches.ts';
import { payoutInputOf } from '#src/providers/ask-provider.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { announceCall } from '#src/steps/send-payout.ts';
import { Rail } from './rail.ts';
import { request, Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => harness.stopSweeping());
afterAll(async () => harness[Symbol.asyncDispose]());

const switchedOff = (id: string) => ({ environment: 'test', id, enabled: false }) as const;

const away = { kind: 'not_sent', reason: 'unreachable', cause: 'ECONNREFUSED' } as const;
const lost = { kind: 'unknown', cause: 'ETIMEDOUT' } as const;

/** Two providers; what they answer to the first calls for a payout is given, then they take it. */
function twoProviders(ofFirst: readonly PayoutOutcome[], ofSecond: readonly PayoutOutcome[] = []) {
  const rail = new Rail(harness.dependencies.now, () => 'pay');
  const calls: string[] = [];
  const called = (id: string, answers: readonly PayoutOutcome[]): PaymentProvider => ({
    ...rail.provider,
    id,
    createPayout: async (payout) => {
      const call = `${id} ${payout.ref}`;
      const before = calls.filter((each) => each === call).length;
      calls.push(call);
      return answers[before] ?? (await rail.provider.createPayout(payout));
    },
  });
  const routeTo = (provider: PaymentProvider) => ({ provider, currencies: ['BRL'] as const, callTimeoutMs: 1_000 });
  const inTurn = [routeTo(called('first', ofFirst)), routeTo(called('second', ofSecond))];
  const dependencies: StepsDependencies = { ...harness.dependencies, payoutRoutes: { test: inTurn, live: [] } };
  const callsFor = async ({ externalId }: { externalId: string }) => {
    const [row] = await harness.rowsOf(externalId);
    return calls.filter((call) => call.endsWith(row!.reference)).map((call) => call.split(' ')[0]);
  };
  return { dependencies, calls, callsFor, rail };
}

test('a payout that was provably not sent goes to the next provider, under its reference', async () => {
  const { dependencies, callsFor } = twoProviders([away]);
  const first = request(harness.account(10_000));
  await harness.create(first, dependencies);
  harness.startSweeping(dependencies);
  harness.passSeconds(6);
  await eventually(async () => expect(await callsFor(first)).toEqual(['first', 'second']));
});

const nasty = `a\0b\ud800 ${'x'.repeat(5_000)}`;
const empty = { kind: 'refused', code: 'provider_balance', message: 'Saldo insuficiente', raw: {} } as const;
const restricted = { ...empty, code: 'provider_restricted', message: 'conta bloqueada' } as const;

test.each([empty, restricted])(
  'a payout refused for $code goes to the next provider, under its reference',
  async (no) => {
    const { dependencies, callsFor } = twoProviders([no]);
    const first = request(harness.account(10_000));
    expect((await harness.create(first, dependencies)).payout.status).toBe('PROCESSING');
    harness.startSweeping(dependencies);
    await eventually(async () => expect(await callsFor(first)).toEqual(['first', 'second']));
  },
);

describe('a payout no provider has the money for', () => {
  const waiting = async (ofFirst: readonly PayoutOutcome[], ofSecond: readonly PayoutOutcome[]) => {
    const providers = twoProviders(ofFirst, ofSecond);
    const account = harness.account(10_000);
    const { payout } = await harness.create(request(account), providers.dependencies);
    harness.startSweeping(providers.dependencies);
    const found = async () => (await getOperatorPayout(harness.dependencies, { id: payout.id })).payout;
    await eventually(async () => expect(await found()).toMatchObject({ attentionReason: 'no_provider' }));
    return { ...providers, account, payout, found };
  };
  const isPaid = async (found: () => Promise<OperatorPayout>) => {
    await eventually(async () => {
      harness.passSeconds(1);
      expect(await found()).toMatchObject({ status: 'PAID', attentionAt: null, attentionReason: null });
    });
  };

  test('waits as PROCESSING, debited once, is in the operators’ queue, and is paid when one of them has it again', async () => {
    const { account, payout, found, callsFor, rail } = await waiting([empty], [empty]);
    expect(await found()).toMatchObject({ status: 'PROCESSING', failureReason: null });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(4_900);
    harness.passSeconds(31);
    await eventually(async () => expect(await callsFor(payout)).toEqual(['first', 'second', 'first']));
    rail.settle((await found()).reference);
    await isPaid(found);
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
    expect(await harness.eventsOf(payout.id)).toEqual(['processing', 'paid']);
  });

  test('shows operators which provider refused it, why, in its own words, and how often', async () => {
    const { found } = await waiting([empty, empty], [restricted, restricted]);
    harness.passSeconds(31);
    await eventually(async () => expect((await found()).failedCalls.map(({ times }) => times)).toEqual([1, 2]));
    expect(await found()).toMatchObject({
      failedCalls: [
        { provider: 'second', outcome: 'refused', reason: 'provider_restricted', message: 'conta bloqueada' },
        { provider: 'first', outcome: 'refused', reason: 'provider_balance', message: 'Saldo insuficiente' },
      ],
    });
  });

  test('is refused by an operator while it waits, given back, and sent no more', async () => {
    const { account, payout, callsFor } = await waiting([empty], [empty]);
    const refused = await refusePayout(harness.dependencies, { id: payout.id, operator: 'ana', reason: 'no top-up' });
    expect(refused.payout).toMatchObject({
      ...{ status: 'REJECTED', failureReason: 'refused_by_operator', decidedBy: 'ana' },
      ...{ decisionReason: 'no top-up', attentionReason: null },
    });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
    harness.passSeconds(3_600);
    const again = refusePayout(harness.dependencies, { id: payout.id, operator: 'ana', reason: null });
    await expect(again).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await callsFor(payout)).toEqual(['first', 'second']);
    expect(await harness.eventsOf(payout.id)).toEqual(['canceled']);
  });

  test('cannot be canceled by its merchant, nor refused while a call of it is under way', async () => {
    const { payout, dependencies } = await waiting([empty], [empty]);
    const { environment, accountId, id } = payout;
    const invalid = { code: 'INVALID_STATE' };
    await expect(cancelPayout(harness.dependencies, { environment, accountId, id })).rejects.toMatchObject(invalid);
    await harness.stopSweeping();
    const row = await harness.dependencies.payouts.findById(id);
    expect(await announceCall(dependencies, row!)).not.toBeNull();
    const refusing = refusePayout(harness.dependencies, { id, operator: 'ana', reason: null });
    await expect(refusing).rejects.toMatchObject(invalid);
  });

  test('is REJECTED and given back after a day, and the merchant reads that the reason is not theirs', async () => {
    const { account, payout, found } = await waiting(Array(200).fill(empty), Array(200).fill(empty));
    await eventually(async () => {
      harness.passSeconds(3_600);
      expect(await found()).toMatchObject({ status: 'REJECTED', attentionReason: null });
    });
    const { failureReason, failureMessage } = await harness.get(payout);
    expect([failureReason, failureMessage]).toEqual([
      'provider_balance',
      "The gateway's own account at the payment provider lacked the funds; your balance was sufficient.",
    ]);
    expect((await found()).providerMessage).toBe('Saldo insuficiente');
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
  });
});

test.each([
  ['refused', { kind: 'refused', code: 'key_not_found', message: nasty, raw: {} }, 'REJECTED'],
  ['not sent', { kind: 'not_sent', reason: 'unreachable', cause: nasty }, 'PAID'],
  ['lost', { kind: 'unknown', cause: nasty }, 'PAID'],
] as const)(
  'a call that is %s with what no database can hold is on record in part, and the payout goes on',
  async (...given) => {
    const [, outcome, end] = given;
    const { dependencies, rail } = twoProviders([outcome]);
    const wanted = request(harness.account(10_000));
    await harness.create(wanted, dependencies).catch(() => undefined);
    const [row] = await harness.rowsOf(wanted.externalId);
    harness.startSweeping(dependencies);
    const found = async () => (await getOperatorPayout(harness.dependencies, { id: row!.id })).payout;
    await eventually(async () => {
      harness.passSeconds(200);
      rail.settle(row!.reference);
      expect((await found()).status).toBe(end);
    });
    const [call] = (await found()).failedCalls;
    expect([call?.message?.length, call?.times]).toEqual([500, 1]);
  },
);

test('a payout that no provider can be reached for is in the operators’ queue after ten minutes', async () => {
  const { dependencies, rail } = twoProviders(Array(200).fill(away), Array(200).fill(away));
  const { payout } = await harness.create(request(harness.account(10_000)), dependencies);
  harness.startSweeping(dependencies);
  const found = async () => (await getOperatorPayout(harness.dependencies, { id: payout.id })).payout;
  await eventually(async () => expect((await found()).failedCalls).not.toEqual([]));
  expect(await found()).toMatchObject({ attentionReason: null });
  await eventually(async () => {
    harness.passSeconds(100);
    expect(await found()).toMatchObject({ status: 'PROCESSING', attentionReason: 'no_provider' });
  });
  expect(rail.made.size).toBe(0);
});

test('a payout that may have arrived and is then refused for its provider’s reasons goes to no other provider', async () => {
  const { dependencies, callsFor } = twoProviders([lost, empty]);
  const first = request(harness.account(10_000));
  await expect(harness.create(first, dependencies)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  harness.startSweeping(dependencies);
  const { payout } = await harness.create(first, dependencies);
  await eventually(async () => {
    harness.passSeconds(100);
    expect(await harness.get(payout)).toMatchObject({ status: 'REJECTED', failureReason: 'provider_balance' });
  });
  expect(await callsFor(first)).toEqual(['first', 'first']);
});

test('new payouts are spread by weight, and go where the money is as far as that is known', () => {
  const { dependencies } = twoProviders([]);
  const [first, second] = dependencies.payoutRoutes.test;
  const share = (weights: readonly [number, number], held: readonly [number?, number?] = []) => {
    const routes = [first!, second!].map((route, index) => ({
      ...route,
      weight: () => weights[index]!,
      heldIn: () => held[index],
    }));
    const wanted = { environment: 'test', currency: 'BRL', amount: 5_000, verifyOwner: false } as const;
    const seeds = Array.from({ length: 1_000 }, (_, seed) => `seed ${seed}`);
    const drawn = seeds.map((seed) => routeFor({ test: routes, live: [] }, wanted, seed)!.provider.id);
    return drawn.filter((id) => id === 'first').length / seeds.length;
  };
  expect(share([1, 1])).toBeCloseTo(0.5, 1);
  expect(share([3, 1])).toBeCloseTo(0.75, 1);
  expect([share([1, 0]), share([0, 1])]).toEqual([1, 0]);
  expect([share([1, 1], [4_999, 5_000]), share([1, 1], [undefined, 4_999])]).toEqual([0, 1]);
  expect(share([0, 1], [5_000, 0])).toBe(1);
  expect(share([1, 1], [0, 0])).toBeCloseTo(0.5, 1);
});

test('a provider that is switched off gets no new payout, and none that others did not take', async () => {
  const { dependencies, calls } = twoProviders([]);
  const [first, second] = dependencies.payoutRoutes.test;
  const { ask, off } = { ask: async () => [...off].map(switchedOff), off: new Set(['first']) };
  await using switches = new ProviderSwitches({ ask, logger: silentLogger });
  await eventually(() => expect(switches.isKnown).toBe(true));
  const switched = [first!, second!].map((route) => ({
    ...route,
    isEnabled: () => switches.isOn('test', route.provider.id),
  }));
  const routing = { ...dependencies, payoutRoutes: { test: switched, live: [] } };
  await harness.create(request(harness.account(10_000)), routing);
  expect(calls.map((call) => call.split(' ')[0])).toEqual(['second']);
  off.add('second');
  await eventually(() => expect(switches.isOn('test', 'second')).toBe(false));
  const refused = harness.create(request(harness.account(10_000)), routing);
  await expect(refused).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
});

test('before it is known what is on, a live provider is not, and what was reported last holds', async () => {
  let providers: { environment: Environment; id: string; enabled: boolean }[] | undefined;
  let unanswered = 0;
  const ask = async () => {
    if (providers) return providers;
    unanswered += 1;
    throw new Error('nobody answers');
  };
  await using switches = new ProviderSwitches({ ask, logger: silentLogger });
  expect([switches.isOn('live', 'first'), switches.isOn('test', 'sandbox')]).toEqual([false, true]);
  providers = [{ ...switchedOff('first'), environment: 'live' }];
  await eventually(() => expect(switches.isOn('live', 'second')).toBe(true));
  [providers, unanswered] = [undefined, 0];
  await eventually(() => expect(unanswered).toBe(1));
  expect([switches.isOn('live', 'first'), switches.isOn('live', 'second')]).toEqual([false, true]);
});

test('a payout another provider has, in what a restored database has forgotten, is not sent again: that one has it', async () => {
  const { dependencies, calls, rail } = twoProviders([lost]);
  const [first, second] = dependencies.payoutRoutes.test;
  const nothing = { ...first!.provider, getPayout: async () => ({ status: 'NOT_FOUND' }) as const };
  let isAway = true;
  const elsewhere: PaymentProvider = {
    ...second!.provider,
    getPayout: async (lookup) =>
      isAway ? { status: 'UNAVAILABLE', cause: 'ETIMEDOUT' } : await rail.provider.getPayout(lookup),
  };
  const routes = [
    { ...first!, provider: nothing },
    { ...second!, provider: elsewhere },
  ];
  const restored: StepsDependencies = { ...dependencies, payoutRoutes: { test: routes, live: [] } };
  const wanted = request(harness.account(10_000));
  await expect(harness.create(wanted, restored)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  const [row] = await harness.rowsOf(wanted.externalId);
  const payout = (await harness.dependencies.payouts.findById(row!.id))!;
  await rail.provider.createPayout({ ...payoutInputOf(payout) });
  rail.settle(payout.reference);
  harness.startSweeping(restored);
  const found = async () => (await harness.dependencies.payouts.findById(payout.id))!;
  await eventually(async () => {
    harness.passSeconds(100);
    expect((await found()).attentionReason).toBe('outcome_unknown');
  });
  isAway = false;
  await eventually(async () => {
    harness.passSeconds(1_000);
    expect(await found()).toMatchObject({ state: 'PAID', provider: 'second' });
  });
  expect(calls).toHaveLength(1);
});

test('a payout that may have arrived never goes to another provider, also when it is sent again', async () => {
  const { dependencies, callsFor } = twoProviders([lost, away]);
  const first = request(harness.account(10_000));
  await expect(harness.create(first, dependencies)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  harness.startSweeping(dependencies);
  await eventually(async () => {
    harness.passSeconds(100);
    expect((await callsFor(first)).length).toBeGreaterThanOrEqual(3);
  });
  expect(new Set(await callsFor(first))).toEqual(new Set(['first']));
});
