import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '@gateway/contracts/values';
import type { PaymentProvider } from '@gateway/providers';
import { eventually, silentLogger } from '@gateway/test-kit';
import { approvePayout } from '#src/decisions/decide-payout.ts';
import { getOperatorPayout } from '#src/payout/read-payouts.ts';
import { askOutcome } from '#src/provider-feed/ask-outcome.ts';
import { routeFor } from '#src/providers/payout-routes.ts';
import { ProviderSwitches } from '#src/providers/provider-switches.ts';
import { payoutInputOf } from '#src/providers/ask-provider.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { request, Harness } from './harness.ts';
import { away, empty, lost, restricted, twoProviders } from './two-providers.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => harness.stopSweeping());
afterAll(async () => harness[Symbol.asyncDispose]());

const switchedOff = (id: string) => ({ environment: 'test', id, enabled: false }) as const;

test('a payout that was provably not sent goes to the next provider, under its reference', async () => {
  const { dependencies, callsFor } = twoProviders(harness, [away]);
  const first = request(harness.account(10_000));
  await harness.create(first, dependencies);
  harness.startSweeping(dependencies);
  harness.passSeconds(6);
  await eventually(async () => expect(await callsFor(first)).toEqual(['first', 'second']));
});

test('a payout that a provider is known to have paid after it had refused goes to no other when the next one refuses', async () => {
  const { dependencies, callsFor, rail } = twoProviders(harness, [empty], [empty]);
  const wanted = request(harness.account(10_000));
  const { payout } = await harness.create(wanted, dependencies);
  const found = async () => (await harness.dependencies.payouts.findById(payout.id))!;
  const passedOn = await found();
  await rail.provider.createPayout(payoutInputOf(passedOn));
  rail.settle(passedOn.reference);
  await harness.dependencies.payouts.amend(passedOn, { alsoPaidBy: ['first'] });
  harness.startSweeping(dependencies);
  await eventually(async () => {
    expect(await found()).toMatchObject({ state: 'PAID', provider: 'first', refusedBy: ['second'], alsoPaidBy: [] });
  });
  expect(await callsFor(wanted)).toEqual(['first', 'second']);
});

const nasty = `a\0b\ud800 ${'x'.repeat(5_000)}`;

test.each([empty, restricted])(
  'a payout refused for $code goes to the next provider, under its reference',
  async (no) => {
    const { dependencies, callsFor } = twoProviders(harness, [no]);
    const first = request(harness.account(10_000));
    expect((await harness.create(first, dependencies)).payout.status).toBe('PROCESSING');
    harness.startSweeping(dependencies);
    await eventually(async () => expect(await callsFor(first)).toEqual(['first', 'second']));
  },
);

test.each([
  ['refused', { kind: 'refused', code: 'key_not_found', message: nasty, raw: {} }, 'REJECTED'],
  ['not sent', { kind: 'not_sent', reason: 'unreachable', cause: nasty }, 'PAID'],
  ['lost', { kind: 'unknown', cause: nasty }, 'PAID'],
] as const)(
  'a call that is %s with what no database can hold is on record in part, and the payout goes on',
  async (...given) => {
    const [, outcome, end] = given;
    const { dependencies, rail } = twoProviders(harness, [outcome]);
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

test('a payout that may have arrived and is then refused for its provider’s reasons goes to no other provider', async () => {
  const { dependencies, callsFor } = twoProviders(harness, [lost, empty]);
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
  const { dependencies } = twoProviders(harness, []);
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
  const { dependencies, calls } = twoProviders(harness, []);
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
  switches.askAgain();
  await eventually(() => expect(switches.isOn('test', 'second')).toBe(false), { timeoutMs: 5_000 });
  const refused = harness.create(request(harness.account(10_000)), routing);
  await expect(refused).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
});

test('a payout that is approved after its provider was switched off goes to one that is on, and waits while none is', async () => {
  const { dependencies, calls, rail } = twoProviders(harness, []);
  const on = new Set(['first']);
  const routes = dependencies.payoutRoutes.test.map((route) => ({
    ...route,
    isEnabled: () => on.has(route.provider.id),
  }));
  const switched = { ...dependencies, payoutRoutes: { test: routes, live: [] } };
  const account = harness.account(10_000, { autoApprovePayouts: false });
  const { payout } = await harness.create(request(account), switched);
  on.clear();
  await approvePayout(switched, { id: payout.id, operator: 'ana' });
  harness.startSweeping(switched);
  const found = async () => (await getOperatorPayout(switched, { id: payout.id })).payout;
  await eventually(async () => {
    harness.passSeconds(60);
    expect(await found()).toMatchObject({ status: 'PROCESSING', attentionReason: 'no_provider' });
  });
  expect(calls).toEqual([]);
  on.add('second');
  await eventually(async () => {
    harness.passSeconds(60);
    rail.settle((await found()).reference);
    expect(await found()).toMatchObject({ status: 'PAID', provider: 'second', attentionReason: null });
  });
  expect(calls.map((call) => call.split(' ')[0])).toEqual(['second']);
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
  switches.askAgain();
  await eventually(() => expect(unanswered).toBe(1));
  expect([switches.isOn('live', 'first'), switches.isOn('live', 'second')]).toEqual([false, true]);
});

test('a payout another provider has, in what a restored database has forgotten, is not sent again: that one has it', async () => {
  const { dependencies, calls, rail } = twoProviders(harness, [lost]);
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
  const { dependencies, callsFor } = twoProviders(harness, [lost, away]);
  const first = request(harness.account(10_000));
  await expect(harness.create(first, dependencies)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  harness.startSweeping(dependencies);
  await eventually(async () => {
    harness.passSeconds(100);
    expect((await callsFor(first)).length).toBeGreaterThanOrEqual(3);
  });
  expect(new Set(await callsFor(first))).toEqual(new Set(['first']));
});

describe('a payout whose provider is not configured any more', () => {
  /** The first has it; then the configuration names the second alone. */
  const orphaned = async () => {
    const { dependencies, callsFor, rail } = twoProviders(harness, [lost]);
    const wanted = request(harness.account(10_000));
    await expect(harness.create(wanted, dependencies)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
    const [, second] = dependencies.payoutRoutes.test;
    const without: StepsDependencies = { ...dependencies, payoutRoutes: { test: [second!], live: [] } };
    const [row] = await harness.rowsOf(wanted.externalId);
    const found = async () => (await harness.dependencies.payouts.findById(row!.id))!;
    const pass = async (times: number) => {
      for (let round = 0; round < times; round++) {
        harness.passSeconds(900);
        await resumePayout(without, await found());
      }
    };
    return { dependencies, without, callsFor: () => callsFor(wanted), rail, found, pass };
  };

  test('stays PROCESSING, gets to the operators’ queue, goes to no other, and follows its provider again', async () => {
    const { dependencies, callsFor, found, pass } = await orphaned();
    await pass(6);
    expect(await found()).toMatchObject({ state: 'PROCESSING', provider: 'first', attentionReason: 'outcome_unknown' });
    await askOutcome(dependencies, await found(), false);
    expect(await callsFor()).toEqual(['first']);
  });

  test('and which is to be sent again waits in the operators’ queue', async () => {
    const { without, callsFor, found } = await orphaned();
    await harness.dependencies.database.query(
      `update payout set state = 'SENDING', call_started_at = null, version = version + 1 where id = $1`,
      [(await found()).id],
    );
    harness.passSeconds(1_200);
    await resumePayout(without, await found());
    expect(await found()).toMatchObject({ state: 'SENDING', provider: 'first', attentionReason: 'no_provider' });
    expect(await callsFor()).toEqual(['first']);
  });

  test('and whose call was cut short is looked up later, as every such one', async () => {
    const { without, found } = await orphaned();
    await harness.dependencies.database.query(
      `update payout set state = 'SENDING', call_started_at = now(), version = version + 1 where id = $1`,
      [(await found()).id],
    );
    await resumePayout(without, await found());
    expect(await found()).toMatchObject({ state: 'PROCESSING', provider: 'first' });
  });
});
