import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargeInput, newReference, payoutInput } from '@gateway/providers/testing';
import { providersConfigSchema } from '@gateway/providers';
import { WireBench } from './wire-bench.ts';

let bench: WireBench;
beforeAll(async () => {
  bench = await WireBench.start();
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const statusOf = async (method: string, path: string, body?: object): Promise<number> => {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return (await fetch(`${bench.url}/control${path}`, { method, ...(body ? json : {}) })).status;
};

describe('what the simulator says of itself', () => {
  test('is a configuration the gateway takes, all providers, with the key that signs', async () => {
    const configs = providersConfigSchema.parse(await bench.control('GET', '/providers'));
    expect(configs.map(({ kind, id }) => [kind, id])).toEqual([
      ['bacen', 'bacen'],
      ['efi', 'efi'],
      ['fintoc', 'spei'],
      ['woovi', 'woovi'],
    ]);
    const { public_key: publicKey } = await bench.control('GET', '/woovi/public-key');
    expect(configs.find((config) => config.kind === 'woovi')).toMatchObject({ publicKeys: [publicKey] });
  });
});

describe('faults on demand', () => {
  const outcomes = async (calls: number): Promise<string[]> => {
    const kinds: string[] = [];
    for (let call = 0; call < calls; call += 1) {
      const charge = chargeInput({ createdAt: bench.now() });
      kinds.push((await bench.provider('woovi').createCharge(charge)).kind);
    }
    return kinds;
  };

  test('strike as often as told, one dialect only', async () => {
    await bench.control('POST', '/faults', {
      dialect: 'woovi',
      operation: 'create-charge',
      fault: 'throttled',
      times: 2,
    });
    expect((await bench.provider('efi').createCharge(chargeInput({ createdAt: bench.now() }))).kind).toBe('accepted');
    expect(await outcomes(3)).toEqual(['not_sent', 'not_sent', 'accepted']);
    await bench.control('DELETE', '/faults');
  });

  test('by seed repeat themselves call for call', async () => {
    const rule = { operation: 'create-charge', fault: 'throttled', seed: 'seven', percent: 40 };
    const runs: string[][] = [];
    for (let run = 0; run < 2; run += 1) {
      await bench.control('POST', '/faults', rule);
      runs.push(await outcomes(12));
      await bench.control('DELETE', '/faults');
    }
    expect(runs[0]).toEqual(runs[1]);
    expect(new Set(runs[0])).toEqual(new Set(['accepted', 'not_sent']));
  });

  test.each([
    { operation: 'nothing', fault: 'slow' },
    { operation: 'create-charge', fault: 'lost' },
    { operation: 'notification', fault: 'slow' },
    { operation: 'create-charge', fault: 'slow', percent: 101 },
    { operation: 'create-charge', fault: 'slow', extra: 1 },
  ])('that make no sense are refused: %o', async (rule) => {
    expect(await statusOf('POST', '/faults', rule)).toBe(400);
  });
});

describe('money on demand', () => {
  test('nobody pays what is not there or was removed', async () => {
    expect(await statusOf('POST', `/charges/${newReference()}/pay`)).toBe(404);
    const charge = chargeInput({ createdAt: bench.now() });
    await bench.provider('efi').createCharge(charge);
    await bench.provider('efi').cancelCharge({ ref: charge.ref, charge });
    expect(await statusOf('POST', `/charges/${charge.ref}/pay`)).toBe(409);
    expect(await statusOf('POST', `/charges/${charge.ref}/pay`, { amount_cents: 0 })).toBe(400);
  });

  test.each([
    [7000_31, 0, [7000_31]],
    [7000_32, 3_602_000, [7000_32]],
    [7000_33, 1_000, [7000_33, 7000_33]],
    [7000_34, 0, [7000_33]],
  ])('a charge of %i is paid by itself', async (amount, waitMs, paid) => {
    const charge = chargeInput({ createdAt: bench.now(), money: { currency: 'BRL', amount } });
    await bench.provider('woovi').createCharge(charge);
    await bench.passTime(waitMs + 100);
    const state = await bench.provider('woovi').getCharge({ ref: charge.ref, charge });
    expect(state.status === 'PAID' && state.receipts.map(({ money }) => money.amount)).toEqual(paid);
  });

  test('a held payout is settled by hand, and what is paid can come back in parts, never more than it was', async () => {
    const destination = { type: 'email', value: 'hold@simulator.test' } as const;
    const payout = payoutInput({ sentAt: bench.now(), destination });
    const provider = bench.provider('efi');
    await provider.createPayout(payout);
    await bench.passTime(600_000);
    expect(await provider.getPayout({ ref: payout.ref, payout })).toMatchObject({ status: 'PROCESSING' });
    expect(await statusOf('POST', `/transfers/${payout.ref}/return`)).toBe(409);
    await bench.control('POST', `/transfers/${payout.ref}/settle`, { result: 'paid' });
    expect(await provider.getPayout({ ref: payout.ref, payout })).toMatchObject({ status: 'PAID' });
    await bench.control('POST', `/transfers/${payout.ref}/return`, { amount_cents: 1000 });
    expect(await statusOf('POST', `/transfers/${payout.ref}/return`, { amount_cents: 251 })).toBe(409);
    await bench.control('POST', `/transfers/${payout.ref}/return`);
    expect(await statusOf('POST', `/transfers/${payout.ref}/return`)).toBe(409);
  });

  test('the balance follows what is paid, sent and contested', async () => {
    const balance = async () => {
      const result = await bench.provider('woovi').balance();
      if (!result.ok) throw new Error(result.cause);
      return result.balances[0];
    };
    const before = await balance();
    const charge = chargeInput({ createdAt: bench.now() });
    await bench.provider('woovi').createCharge(charge);
    const { e2eId } = await bench.pay(charge);
    await bench.control('POST', `/payments/${e2eId}/dispute`, { amount_cents: 990 });
    const destination = { type: 'email', value: 'somebody@example.com' } as const;
    await bench.provider('woovi').createPayout(payoutInput({ sentAt: bench.now(), destination }));
    expect(await balance()).toEqual({
      currency: 'BRL',
      available: (before?.available ?? 0) + 1990 - 990 - 1250,
      blocked: (before?.blocked ?? 0) + 990,
    });
  });
});
