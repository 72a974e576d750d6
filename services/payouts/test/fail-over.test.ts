import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PaymentProvider, PayoutOutcome } from '@gateway/providers';
import { eventually } from '@gateway/service-kit/testing';
import type { Dependencies } from '#src/dependencies.ts';
import { Rail } from './rail.ts';
import { request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(async () => stage.stopSweeping());
afterAll(async () => stage[Symbol.asyncDispose]());

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
