import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OperatorPayout } from '@gateway/contracts/payouts';
import type { PayoutOutcome, PayoutState } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { eventually } from '@gateway/test-kit';
import { cancelPayout, refusePayout } from '#src/decisions/decide-payout.ts';
import { resolvePayout } from '#src/decisions/resolve-payout.ts';
import { getOperatorPayout } from '#src/payout/read-payouts.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';
import { announceCall } from '#src/steps/send-payout.ts';
import { request, resolutionOf, Harness } from './harness.ts';
import { away, empty, restricted, twoProviders } from './two-providers.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => harness.stopSweeping());
afterAll(async () => harness[Symbol.asyncDispose]());

describe('a payout no provider has the money for', () => {
  const waiting = async (ofFirst: readonly PayoutOutcome[], ofSecond: readonly PayoutOutcome[]) => {
    const providers = twoProviders(harness, ofFirst, ofSecond);
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

  test('has no outcome that two operators could resolve: it has not been sent', async () => {
    const { payout, dependencies } = await waiting([empty], [empty]);
    const resolving = resolvePayout(dependencies, resolutionOf(payout.id, 'failed'));
    await expect(resolving).rejects.toMatchObject({ code: 'INVALID_STATE' });
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

describe('a payout that every provider has refused for a day', () => {
  const dayOld = async (ofFirst: { state: PayoutState }) => {
    const providers = twoProviders(harness, Array(200).fill(empty), Array(200).fill(empty));
    const [first, second] = providers.dependencies.payoutRoutes.test;
    const asking = async (): Promise<PayoutState> => ofFirst.state;
    const routes = [{ ...first!, provider: { ...first!.provider, getPayout: asking } }, second!];
    const dependencies = { ...providers.dependencies, payoutRoutes: { test: routes, live: [] } };
    const account = harness.account(10_000);
    const { payout } = await harness.create(request(account), dependencies);
    const found = async () => (await harness.dependencies.payouts.findById(payout.id))!;
    const resume = async () => {
      const current = await found();
      if (current.dueAt) await resumePayout(dependencies, current);
    };
    await resume();
    await resume();
    harness.passSeconds(24 * 3_600);
    await resume();
    const balance = () => harness.ledger.books.balanceOf(account.id);
    return { ...providers, dependencies, payout, found, resume, balance };
  };
  const unavailable = { status: 'UNAVAILABLE', cause: 'ETIMEDOUT' } as const;

  test('is not given back before each of them was asked whether it has it, and is called for no more', async () => {
    const ofFirst: { state: PayoutState } = { state: unavailable };
    const { payout, found, resume, balance, callsFor } = await dayOld(ofFirst);
    const calls = (await callsFor(payout)).length;
    await Promise.all([resume(), resume()]);
    harness.passSeconds(3_600);
    await resume();
    expect(await found()).toMatchObject({ state: 'SENDING', attentionReason: 'no_provider' });
    expect([balance(), (await callsFor(payout)).length]).toEqual([4_900, calls]);
    ofFirst.state = { status: 'NOT_FOUND' };
    await Promise.all([resume(), resume()]);
    expect(await harness.get(payout)).toMatchObject({ status: 'REJECTED', failureReason: 'provider_balance' });
    expect([balance(), (await callsFor(payout)).length]).toEqual([10_000, calls]);
  });

  test('and which one of them has all the same is that one’s, and paid once', async () => {
    const ofFirst: { state: PayoutState } = { state: { status: 'PROCESSING', providerRef: 'its id' } };
    const { payout, found, resume, balance } = await dayOld(ofFirst);
    expect(await found()).toMatchObject({ state: 'PROCESSING', provider: 'first', reversal: null });
    const paidAt = harness.dependencies.now();
    ofFirst.state = asked({ status: 'PAID', providerRef: 'its id', e2eId: 'E1', paidAt });
    await resume();
    expect(await harness.get(payout)).toMatchObject({ status: 'PAID' });
    expect(balance()).toBe(4_900);
    expect(harness.ledger.decidedFor(payout.id)).toEqual(['debit-payout', 'settle-payout']);
  });

  test('is refused by an operator while one of them does not answer', async () => {
    const { payout, resume, balance } = await dayOld({ state: unavailable });
    await refusePayout(harness.dependencies, { id: payout.id, operator: 'ana', reason: null });
    await resume();
    expect(await harness.get(payout)).toMatchObject({ status: 'REJECTED', failureReason: 'refused_by_operator' });
    expect(balance()).toBe(10_000);
  });
});

test('a payout that no provider can be reached for is in the operators’ queue after ten minutes', async () => {
  const { dependencies, rail } = twoProviders(harness, Array(200).fill(away), Array(200).fill(away));
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

describe('a payout that waits for money while another provider cannot be reached', () => {
  /** Step by step, so that each call is made at a known time. */
  const waiting = async (ofFirst: readonly PayoutOutcome[]) => {
    const providers = twoProviders(harness, ofFirst, Array(5_000).fill(away));
    const account = harness.account(10_000);
    const { payout } = await harness.create(request(account), providers.dependencies);
    const found = async () => (await harness.dependencies.payouts.findById(payout.id))!;
    const pass = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 5) {
        harness.passSeconds(5);
        const current = await found();
        if (current.dueAt && current.dueAt <= harness.dependencies.now()) {
          await resumePayout(providers.dependencies, current);
        }
      }
    };
    return { ...providers, account, payout, found, pass };
  };

  test('is paid by the one that has it again', async () => {
    const { payout, pass, callsFor, found, rail } = await waiting([empty]);
    await pass(60);
    expect((await callsFor(payout)).filter((id) => id === 'first')).toHaveLength(2);
    rail.settle((await found()).reference);
    await pass(120);
    expect(await found()).toMatchObject({ state: 'PAID', provider: 'first' });
    expect([...rail.made.values()]).toEqual([1]);
  });

  test('asks the one that lacks it with the growing distances of every wait, and is in the operators’ queue', async () => {
    const { payout, pass, callsFor, found, account } = await waiting(Array(5_000).fill(empty));
    await pass(1_200);
    const { length } = (await callsFor(payout)).filter((id) => id === 'first');
    expect(length).toBeGreaterThan(5);
    expect(length).toBeLessThan(20);
    expect(await found()).toMatchObject({ state: 'SENDING', attentionReason: 'no_provider' });
    await refusePayout(harness.dependencies, { id: payout.id, operator: 'ana', reason: null });
    expect(harness.ledger.books.balanceOf(account.id)).toBe(10_000);
  });
});
