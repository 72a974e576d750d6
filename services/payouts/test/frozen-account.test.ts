import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Freeze } from '@gateway/contracts/accounts';
import { approvePayout, refusePayout } from '#src/decisions/decide-payout.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { request, Harness } from './harness.ts';
import { away, empty, lost, twoProviders } from './two-providers.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

const freeze: Freeze = { level: 'payouts', at: 1_767_000_000 };

/** What the gateway answers can be changed; it throws while it is undefined. */
async function underFreeze(
  outcomes: Parameters<typeof twoProviders>[1],
  { needsApproval = false, frozen = freeze }: { needsApproval?: boolean; frozen?: Freeze | null } = {},
) {
  const providers = twoProviders(harness, outcomes, []);
  const gateway: { frozen: Freeze | null | undefined } = { frozen };
  const dependencies: StepsDependencies = {
    ...providers.dependencies,
    freezeOf: async () => {
      if (gateway.frozen === undefined) throw new Error('the gateway does not answer');
      return gateway.frozen;
    },
  };
  const account = harness.account(10_000, { autoApprovePayouts: !needsApproval });
  const wanted = request(account);
  await harness.create(wanted, dependencies).catch(() => undefined);
  const [row] = await harness.rowsOf(wanted.externalId);
  const found = async () => (await harness.dependencies.payouts.findById(row!.id))!;
  if (needsApproval) await approvePayout(dependencies, { id: row!.id, operator: 'ana' });
  /** Twice at once, as two processes whose lease has ended. */
  const pass = async (seconds: number) => {
    harness.passSeconds(seconds);
    const current = await found();
    if (!current.dueAt || current.dueAt > harness.dependencies.now()) return;
    await Promise.allSettled([resumePayout(dependencies, current), resumePayout(dependencies, current)]);
  };
  const balance = () => harness.ledger.books.balanceOf(account.id);
  return { ...providers, id: row!.id, wanted, gateway, found, pass, balance };
}

describe('of an account that was frozen in the meantime', () => {
  test.each([
    ['that was approved', [], true, []],
    ['that waits for our money at a provider', [empty], false, ['first']],
    ['that waits for a provider out of reach', [away], false, ['first']],
  ] as const)(
    'a payout %s is not sent, is in the operators’ queue, and goes on when the freeze is lifted',
    async (...given) => {
      const [, outcomes, needsApproval, before] = given;
      const { wanted, gateway, found, pass, callsFor, rail } = await underFreeze(outcomes, { needsApproval });
      for (let round = 0; round < 4; round++) await pass(900);
      expect(await found()).toMatchObject({ state: 'SENDING', attentionReason: 'account_frozen' });
      expect(await callsFor(wanted)).toEqual(before);
      gateway.frozen = null;
      await pass(15);
      expect(await callsFor(wanted)).toHaveLength(before.length + 1);
      expect(await found()).toMatchObject({ state: 'PROCESSING', attentionReason: null });
      rail.settle((await found()).reference);
      await pass(30);
      expect(await found()).toMatchObject({ state: 'PAID' });
    },
  );

  test('a payout that waits is refused by an operator, and its money goes back', async () => {
    const { id, found, pass, balance, callsFor, wanted } = await underFreeze([empty]);
    await pass(1);
    await refusePayout(harness.dependencies, { id, operator: 'ana', reason: 'stolen key' });
    await pass(60);
    expect(await found()).toMatchObject({ state: 'REJECTED', failureReason: 'refused_by_operator', attentionAt: null });
    expect([balance(), await callsFor(wanted)]).toEqual([10_000, ['first']]);
  });

  test('a payout that a provider may have goes on: it is looked up, and sent again where that is certain', async () => {
    const { wanted, found, pass, callsFor } = await underFreeze([lost]);
    await pass(10);
    await pass(130);
    await pass(130);
    expect(await callsFor(wanted)).toEqual(['first', 'first']);
    expect(await found()).toMatchObject({ state: 'PROCESSING', attentionReason: null });
  });
});

test('a payout is not sent again before the gateway answers whether its account is frozen', async () => {
  const { wanted, gateway, pass, callsFor } = await underFreeze([empty], { frozen: null });
  gateway.frozen = undefined;
  for (let round = 0; round < 3; round++) await pass(10);
  expect(await callsFor(wanted)).toEqual(['first']);
  gateway.frozen = null;
  await pass(10);
  expect(await callsFor(wanted)).toEqual(['first', 'second']);
});
