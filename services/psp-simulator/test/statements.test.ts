import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StatementLine } from '@gateway/providers';
import { chargeInput, linesOf, payoutInput, refundInput } from '@gateway/providers/testing';
import { eventually } from '@gateway/test-kit';
import { WireBench, type ProviderId } from './wire-bench.ts';

let bench: WireBench;
beforeAll(async () => {
  bench = await WireBench.start();
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const minuteMs = 60_000;
const dayMs = 86_400_000;
const accounts = { efi: 'BRL', spei: 'MXN', woovi: 'BRL' } as const satisfies Partial<Record<ProviderId, string>>;
type Account = keyof typeof accounts;

async function balanceOf(id: Account): Promise<number> {
  const result = await bench.provider(id).balance();
  if (!result.ok) throw new Error(result.cause);
  return result.balances.reduce((sum, { available, blocked }) => sum + available + blocked, 0);
}

async function paid(id: Account): Promise<string> {
  const charge = chargeInput({ createdAt: bench.now(), money: { currency: accounts[id], amount: 1990 } });
  await eventually(async () => {
    const { kind } = await bench.provider(id).createCharge(charge);
    if (kind !== 'accepted') throw new Error(`the charge is ${kind}`);
  });
  return (await bench.pay(charge)).e2eId;
}

/** From that moment to this one. */
async function linesSince(id: Account, from: Date): Promise<StatementLine[]> {
  return await linesOf(bench.provider(id), { from, to: new Date(bench.now().getTime() + 1_000) });
}

describe.each(['spei', 'woovi'] as const)('the statement of %s', (id) => {
  test("a provider's fee is a line of its own for each payment while it is switched on, and leaves the balance", async () => {
    const from = bench.now();
    const before = await balanceOf(id);
    await bench.control('POST', `/accounts/${id}/fees`, { received_cents: 85 });
    const e2eId = await paid(id);
    await bench.control('POST', `/accounts/${id}/fees`, {});
    await paid(id);
    const lines = await linesSince(id, from);
    expect(lines.filter(({ kind }) => kind === 'fee')).toMatchObject([{ amount: -85 }]);
    expect(lines.find((line) => line.e2eId === e2eId && line.kind === 'payment')?.amount).toBe(1990);
    expect(await balanceOf(id)).toBe(before + 2 * 1990 - 85);
  });

  test("the operator's own money is a line of its own kind in each direction, and is in the balance", async () => {
    const from = bench.now();
    const before = await balanceOf(id);
    for (const amount of [70_000, -30_000]) {
      await bench.control('POST', `/accounts/${id}/own-transfers`, { amount_cents: amount });
    }
    const lines = (await linesSince(id, from)).filter(({ kind }) => kind === 'own_transfer');
    expect(lines.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([-30_000, 70_000]);
    expect(await balanceOf(id)).toBe(before + 40_000);
  });

  test('a movement is misstated as it is asked for, and its payment is not', async () => {
    const from = bench.now();
    const [doubled, missing, wrong, late, nextDay] = await Promise.all(Array.from({ length: 5 }, () => paid(id)));
    const misstate = (e2eId: string | undefined, body: object) =>
      bench.control('POST', `/entries/${String(e2eId)}/fault`, body);
    await misstate(doubled, { fault: 'doubled' });
    await misstate(missing, { fault: 'missing' });
    await misstate(wrong, { fault: 'wrong_amount', amount_cents: 1991 });
    await misstate(late, { fault: 'late', after_ms: 10 * minuteMs });
    await misstate(nextDay, { fault: 'day_late' });
    const amountsOf = (lines: readonly StatementLine[]) =>
      [doubled, missing, wrong, late, nextDay].map((e2eId) =>
        lines.filter((line) => line.e2eId === e2eId).map(({ amount }) => amount),
      );
    const to = new Date(from.getTime() + 30_000);
    const read = () => linesOf(bench.provider(id), { from, to });
    const first = await read();
    // The amount of the statement counts, and not that of the payment it names.
    expect(first.filter(({ amount }) => amount === 1991)).toHaveLength(1);
    expect(amountsOf(first).map((amounts) => amounts.length)).toEqual([2, 0, 1, 0, 0]);
    expect(new Set(first.map(({ lineKey }) => lineKey)).size).toBe(first.length);
    await bench.passTime(11 * minuteMs);
    expect(amountsOf(await read())[3]).toEqual([1990]);
    const nextDayLines = await linesOf(bench.provider(id), {
      from: new Date(from.getTime() + dayMs),
      to: new Date(to.getTime() + dayMs),
    });
    expect(amountsOf(nextDayLines)[4]).toEqual([1990]);
  });
});

describe('the statement of woovi', () => {
  test('names what went back by the id of the return that the refund is looked up with, and by the charge', async () => {
    const provider = bench.provider('woovi');
    const from = bench.now();
    const money = { currency: 'BRL', amount: 1990 } as const;
    const charge = chargeInput({ createdAt: bench.now(), money });
    await provider.createCharge(charge);
    const { e2eId } = await bench.pay(charge);
    const receipt = { e2eId, chargeRef: charge.ref };
    const refund = refundInput({ sentAt: bench.now(), receipt, money: { ...money, amount: 500 } });
    await provider.refund(refund);
    const made = await eventually(async () => {
      await bench.passTime(1_000);
      const state = await provider.getRefund({ ref: refund.ref, refund });
      if (state.status !== 'DONE') throw new Error(`the refund is ${state.status}`);
      return state;
    });
    const { id } = (await bench.control('POST', `/payments/${e2eId}/dispute`, { amount_cents: 700 })) as { id: string };
    await bench.control('POST', `/disputes/${id}/resolve`, { result: 'ACCEPTED' });
    const out = (await linesSince('woovi', from)).filter(({ amount }) => amount < 0);
    const named = { kind: 'other', ourRef: charge.ref };
    expect(out).toMatchObject([
      { ...named, amount: -500, returnId: made.returnId },
      { ...named, amount: -700, returnId: expect.stringMatching(/^D/) as string },
    ]);
    await bench.control('POST', `/disputes/${id}/resolve`, { result: 'REJECTED' });
    const back = (await linesSince('woovi', from)).filter(({ kind }) => kind === 'overturn');
    expect(back).toMatchObject([{ amount: 700, returnId: out[1]?.returnId, ourRef: charge.ref }]);
  });
});

describe('the report of a day of efi', () => {
  test('has what the settled lists had under the same keys, and fees, own transfers and doubled lines besides', async () => {
    const provider = bench.provider('efi');
    const from = bench.now();
    await bench.control('POST', '/accounts/efi/fees', { received_cents: 20, sent_cents: 30 });
    const e2eId = await paid('efi');
    const payout = payoutInput({ sentAt: bench.now(), destination: { type: 'cpf', value: '12345678909' } });
    await provider.createPayout(payout);
    await bench.passTime(1_000);
    await eventually(async () => {
      const state = await provider.getPayout({ ref: payout.ref, payout });
      if (state.status !== 'PAID') throw new Error(`the payout is ${state.status}`);
    });
    await bench.control('POST', '/accounts/efi/fees', {});
    await bench.control('POST', '/accounts/efi/own-transfers', { amount_cents: -5_000 });
    const listed = await linesSince('efi', from);
    expect(listed.map(({ kind }) => kind).toSorted()).toEqual(['payment', 'payout']);
    await bench.control('POST', `/entries/${e2eId}/fault`, { fault: 'doubled' });

    await bench.passTime(2 * dayMs);
    // A window with the beginning of that day, as a reader that looks back has it.
    const midnight = new Date(`${dayOf(from)}T03:00:00Z`);
    const reported = await linesOf(provider, {
      from: new Date(midnight.getTime() - minuteMs),
      to: new Date(midnight.getTime() + minuteMs),
    });
    const added = reported.filter(({ bookedAt }) => bookedAt >= from);
    const keys = added.map(({ lineKey }) => lineKey);
    for (const { lineKey } of listed) expect(keys).toContain(lineKey);
    const rest = added.filter(({ lineKey }) => !listed.some((line) => line.lineKey === lineKey));
    expect(rest.map(({ kind, amount }) => [kind, amount]).toSorted()).toEqual([
      ['fee', -20],
      ['fee', -30],
      ['own_transfer', -5_000],
      ['payment', 1990],
    ]);
    expect(rest.find(({ kind }) => kind === 'payment')).toMatchObject({ e2eId, lineKey: `pix:${e2eId}.2` });
  });

  test('is refused for the day that runs', async () => {
    const page = await bench.provider('efi').statement?.readPage({
      from: new Date(bench.now().getTime() - minuteMs),
      to: bench.now(),
      place: 'report/',
    });
    expect(page).toMatchObject({ kind: 'page', rows: [] });
  });
});

/** The local day in Brazil. */
function dayOf(at: Date): string {
  return new Date(at.getTime() - 3 * 3_600_000).toISOString().slice(0, 10);
}
