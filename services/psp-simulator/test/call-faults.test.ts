import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallOptions } from '@gateway/providers';
import { chargeInput, payoutInput, refundInput } from '@gateway/providers/testing';
import { eventually } from '@gateway/test-kit';
import type { CallFault } from '#src/faults/fault.ts';
import { magicCallFaults } from '#src/faults/magic.ts';
import { WireBench, type ProviderId } from './wire-bench.ts';

/** What the adapter says to the first call under each fault, and whether the provider has acted by then. */
const expectations: Readonly<Record<CallFault, { outcome: object; acted: boolean }>> = {
  timeout_before: { outcome: { kind: 'unknown' }, acted: false },
  timeout_after: { outcome: { kind: 'unknown' }, acted: true },
  error_before: { outcome: { kind: 'unknown' }, acted: false },
  error_after: { outcome: { kind: 'unknown' }, acted: true },
  reset_before: { outcome: { kind: 'unknown' }, acted: false },
  reset_after: { outcome: { kind: 'unknown' }, acted: true },
  duplicate: { outcome: { kind: 'accepted' }, acted: true },
  slow: { outcome: { kind: 'unknown' }, acted: true },
  nonsense: { outcome: { kind: 'unknown' }, acted: true },
  throttled: { outcome: { kind: 'not_sent', reason: 'throttled', retryAfterMs: 1_000 }, acted: false },
  unauthorized: { outcome: { kind: 'not_sent', reason: 'unauthorized' }, acted: false },
};

/** Where there is a token to renew, a single 401 is not even noticed. */
const renewed = { outcome: { kind: 'accepted' }, acted: true };

const faults = Object.entries(magicCallFaults).map(([amount, fault]) => ({ fault, amount: Number(amount) }));

/** No call ends by itself before the machine, however slow, has answered it. */
const patientMs = 120_000;

let bench: WireBench;
beforeAll(async () => {
  bench = await WireBench.start({}, { callTimeoutMs: patientMs });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

/** Those that are not answered, or so late that the caller has gone. */
const unanswered: ReadonlySet<string> = new Set<CallFault>(['timeout_before', 'timeout_after', 'slow']);

/** Makes a call; where its answer does not come, the caller goes as soon as the provider has met the fault, and has acted. */
async function ended<Outcome>(
  fault: string,
  call: (options: CallOptions) => Promise<Outcome>,
  hasActed: () => Promise<boolean> = async () => true,
): Promise<Outcome> {
  if (!unanswered.has(fault)) return await call({});
  const deadline = new AbortController();
  const before = await bench.faultsMet();
  const outcome = call({ signal: deadline.signal });
  await eventually(async () => {
    expect(await bench.faultsMet()).toBeGreaterThan(before);
    expect(await hasActed()).toBe(true);
  });
  deadline.abort(new Error('the caller has waited long enough'));
  return await outcome;
}

const expected = (id: ProviderId, fault: CallFault) =>
  fault === 'unauthorized' && id !== 'woovi' ? renewed : expectations[fault];

describe.each(['efi', 'woovi'] as const)('a payout at %s', (id) => {
  test.each(faults)('under $fault is told rightly, and is paid once', async ({ fault, amount }) => {
    const provider = bench.provider(id);
    const payout = payoutInput({
      sentAt: bench.now(),
      destination: { type: 'email', value: 'somebody@example.com' },
      money: { currency: 'BRL', amount },
    });
    const { outcome, acted } = expected(id, fault);
    const sent = async () => !acted || (await bench.transfersOf(payout.ref)) > 0;
    const first = await ended(fault, (options) => provider.createPayout(payout, options), sent);
    expect(first).toMatchObject(outcome);
    expect(await bench.transfersOf(payout.ref)).toBe(acted ? 1 : 0);
    const found = await provider.getPayout({ ref: payout.ref, payout });
    expect(found.status).toBe(acted ? found.status : 'NOT_FOUND');
    expect(await provider.createPayout(payout)).toMatchObject({ kind: 'accepted' });
    await bench.passTime(1_000);
    expect(await provider.getPayout({ ref: payout.ref, payout })).toMatchObject({ status: 'PAID' });
    expect(await provider.createPayout(payout)).toMatchObject({ kind: 'accepted', status: 'PAID' });
    expect(await bench.transfersOf(payout.ref)).toBe(1);
  });
});

describe.each(['bacen', 'efi', 'woovi'] as const)('a charge at %s', (id) => {
  test.each(faults)('under $fault is told rightly, and is one charge', async ({ fault, amount }) => {
    const provider = bench.provider(id);
    const charge = chargeInput({ createdAt: bench.now(), money: { currency: 'BRL', amount } });
    const { outcome, acted } = expected(id, fault);
    const lookup = { ref: charge.ref, charge };
    const made = async () => !acted || (await provider.getCharge(lookup)).status === 'OPEN';
    const first = await ended(fault, (options) => provider.createCharge(charge, options), made);
    expect(first).toMatchObject(outcome);
    expect(await provider.getCharge(lookup)).toEqual({ status: acted ? 'OPEN' : 'NOT_FOUND' });
    const again = await provider.createCharge(charge);
    expect(again).toMatchObject({ kind: 'accepted' });
    expect(await provider.createCharge(charge)).toEqual(again);
  });
});

describe.each(['bacen', 'efi', 'woovi'] as const)('a refund at %s', (id) => {
  test.each(faults)('under $fault is told rightly, and goes back once', async ({ fault, amount }) => {
    const provider = bench.provider(id);
    const charge = chargeInput({ createdAt: bench.now(), money: { currency: 'BRL', amount: 8000_00 } });
    await provider.createCharge(charge);
    const { e2eId } = await bench.pay(charge);
    const money = { currency: 'BRL', amount } as const;
    const refund = refundInput({ sentAt: bench.now(), receipt: { e2eId, chargeRef: charge.ref }, money });
    const lookup = { ref: refund.ref, refund };
    const { outcome, acted } = expected(id, fault);
    const made = async () => !acted || (await provider.getRefund(lookup)).status !== 'NOT_FOUND';
    expect(await ended(fault, (options) => provider.refund(refund, options), made)).toMatchObject(outcome);
    expect((await provider.getRefund(lookup)).status === 'NOT_FOUND').toBe(!acted);
    expect(await provider.refund(refund)).toMatchObject({ kind: 'accepted' });
    await bench.passTime(1_000);
    // What is due the simulator's own loop may be settling at this moment.
    await eventually(async () => expect(await provider.getRefund(lookup)).toMatchObject({ status: 'DONE' }));
    expect(await provider.refund(refund)).toMatchObject({ kind: 'accepted', status: 'DONE' });
    // Of 8000.00 less than 1000.00 is left, and not less than nothing: it went back, and went back once.
    const rest = { currency: 'BRL', amount: 1000_00 } as const;
    const second = refundInput({ sentAt: bench.now(), receipt: { e2eId, chargeRef: charge.ref }, money: rest });
    expect(await provider.refund(second)).toMatchObject({ kind: 'refused' });
  });
});

describe.each(['bacen', 'efi', 'woovi'] as const)('a second payment of one charge at %s', (id) => {
  test('goes back itself, once, also when the first answer is lost; the other one stays', async () => {
    const provider = bench.provider(id);
    const charge = chargeInput({ createdAt: bench.now(), money: { currency: 'BRL', amount: 50_00 } });
    await provider.createCharge(charge);
    const [first, second] = [await bench.pay(charge), await bench.pay(charge)];
    const back = (e2eId: string) =>
      refundInput({
        sentAt: bench.now(),
        receipt: { e2eId, chargeRef: charge.ref },
        money: { currency: 'BRL', amount: 50_00 },
      });
    const extra = back(second.e2eId);
    await bench.control('POST', '/faults', { operation: 'create-refund', fault: 'error_after', times: 1 });
    expect(await provider.refund(extra)).toMatchObject({ kind: 'unknown' });
    expect(await provider.refund(extra)).toMatchObject({ kind: 'accepted' });
    await bench.passTime(1_000);
    const lookup = { ref: extra.ref, refund: extra };
    await eventually(async () => expect(await provider.getRefund(lookup)).toMatchObject({ status: 'DONE' }));
    expect(await provider.refund(back(second.e2eId))).toMatchObject({ kind: 'refused' });
    expect(await provider.refund(back(first.e2eId))).toMatchObject({ kind: 'accepted' });
  });
});

describe.each(['efi', 'woovi'] as const)('lookups at %s', (id) => {
  test.each(['timeout_before', 'error_before', 'reset_before', 'nonsense', 'throttled'] as const)(
    'that end in %s know nothing',
    async (fault) => {
      const provider = bench.provider(id);
      const sentAt = bench.now();
      const payout = payoutInput({ sentAt, destination: { type: 'email', value: 'somebody@example.com' } });
      await provider.createPayout(payout);
      await bench.control('POST', '/faults', { operation: 'get-transfer', fault, times: 1 });
      const found = await ended(fault, (options) => provider.getPayout({ ref: payout.ref, payout }, options));
      expect(found).toMatchObject({ status: 'UNAVAILABLE' });
      expect((await provider.getPayout({ ref: payout.ref, payout })).status).not.toBe('UNAVAILABLE');
    },
  );

  test('an owner that cannot be checked is paid by nobody', async () => {
    await bench.control('POST', '/faults', {
      dialect: 'woovi',
      operation: 'check-key',
      fault: 'error_before',
      times: 1,
    });
    await bench.control('POST', '/faults', { dialect: 'efi', operation: 'token', fault: 'error_before', times: 1 });
    const destination = { type: 'email', value: 'somebody@example.com' } as const;
    const payout = payoutInput({ sentAt: bench.now(), destination, verifyOwner: true });
    const outcome = await bench.provider(id).createPayout(payout);
    expect(outcome).toMatchObject(id === 'woovi' ? { kind: 'not_sent', reason: 'unreachable' } : { kind: 'accepted' });
    expect(await bench.transfersOf(payout.ref)).toBe(id === 'woovi' ? 0 : 1);
    await bench.control('DELETE', '/faults');
  });
});
