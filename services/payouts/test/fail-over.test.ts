import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Environment } from '@gateway/contracts';
import type { PaymentProvider, PayoutOutcome } from '@gateway/providers';
import { eventually, silentLogger } from '@gateway/service-kit/testing';
import type { Dependencies } from '#src/dependencies.ts';
import { ProviderSwitches } from '#src/providers/provider-switches.ts';
import { Rail } from './rail.ts';
import { request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(async () => stage.stopSweeping());
afterAll(async () => stage[Symbol.asyncDispose]());

const switchedOff = (id: string) => ({ environment: 'test', id, enabled: false }) as const;

const away = { kind: 'not_sent', reason: 'unreachable', cause: 'ECONNREFUSED' } as const;
const lost = { kind: 'unknown', cause: 'ETIMEDOUT' } as const;

/** Two providers; the first one's answers are given, call by call. */
function twoProviders(answers: readonly PayoutOutcome[]) {
  const rail = new Rail(stage.dependencies.now, () => 'pay');
  const calls: string[] = [];
  const left = [...answers];
  const called = (id: string, answer?: () => PayoutOutcome | undefined): PaymentProvider => ({
    ...rail.provider,
    id,
    createPayout: async (payout) => {
      calls.push(`${id} ${payout.ref}`);
      return answer?.() ?? (await rail.provider.createPayout(payout));
    },
  });
  const routeTo = (provider: PaymentProvider) => ({ provider, currencies: ['BRL'] as const, callTimeoutMs: 1_000 });
  const inTurn = [routeTo(called('first', () => left.shift())), routeTo(called('second'))];
  const dependencies: Dependencies = { ...stage.dependencies, payoutRoutes: { test: inTurn, live: [] } };
  return { dependencies, calls };
}

test('a payout that was provably not sent goes to the next provider, under its reference', async () => {
  const { dependencies, calls } = twoProviders([away]);
  const first = request(stage.account(10_000));
  await stage.create(first, dependencies);
  const [row] = await stage.rowsOf(first.externalId);
  stage.startSweeping(dependencies);
  stage.passSeconds(6);
  await eventually(() => expect(calls).toEqual([`first ${row!.reference}`, `second ${row!.reference}`]));
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
  await stage.create(request(stage.account(10_000)), routing);
  expect(calls.map((call) => call.split(' ')[0])).toEqual(['second']);
  off.add('second');
  await eventually(() => expect(switches.isOn('test', 'second')).toBe(false));
  const refused = stage.create(request(stage.account(10_000)), routing);
  await expect(refused).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
});

test('before it is told what is on, a live provider is not, and what was told last holds', async () => {
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

test('a payout that may have arrived never goes to another provider, also when it is sent again', async () => {
  const { dependencies, calls } = twoProviders([lost, away]);
  const first = request(stage.account(10_000));
  await expect(stage.create(first, dependencies)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  const [row] = await stage.rowsOf(first.externalId);
  stage.startSweeping(dependencies);
  const ofThisPayout = () => calls.filter((call) => call.endsWith(row!.reference));
  await eventually(() => {
    stage.passSeconds(100);
    expect(ofThisPayout().length).toBeGreaterThanOrEqual(3);
  });
  expect(new Set(ofThisPayout())).toEqual(new Set([`first ${row!.reference}`]));
});
