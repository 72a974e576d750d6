import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  chargeInput,
  describePaymentProvider,
  newReference,
  payoutInput,
  type ProviderUnderTest,
} from '@gateway/providers/testing';
import type { RailCurrency } from '@gateway/money';
import { isChargeTxid, isEndToEndId, isReturnId, parseBrCode, parseClabe, parseDocument } from '@gateway/pix';
import {
  sandboxClabes,
  sandboxIspb,
  sandboxKeys,
  sandboxPayoutPlan,
  sandboxProvider,
  simulateChargePaid,
  simulateDisputeOpened,
  simulateDisputeResolved,
  simulatePayoutReturned,
  type PayoutInput,
} from '#src/index.ts';

const start = new Date('2026-01-02T10:44:37.000Z');
const email = (value: string) => ({ type: 'email', value }) as const;
const clabe = (value: string) => ({ type: 'clabe', value }) as const;

const destinationsOf = {
  BRL: {
    paid: { type: 'cpf', value: '12345678909' },
    refused: { destination: email(sandboxKeys.refuse), code: 'key_not_found' },
    failed: { destination: email(sandboxKeys.fail), code: 'invalid_account' },
    unanswered: email(sandboxKeys.timeout),
    foreign: email(sandboxKeys.owner),
  },
  MXN: {
    paid: clabe('032180000118359719'),
    refused: { destination: clabe(sandboxClabes.refuse), code: 'invalid_account' },
    failed: { destination: clabe(sandboxClabes.fail), code: 'invalid_account' },
    unanswered: clabe(sandboxClabes.timeout),
    foreign: clabe(sandboxClabes.owner),
  },
} as const;

const sandboxIn = (currency: RailCurrency) => async (): Promise<ProviderUnderTest> => {
  let now = start;
  return {
    currency,
    provider: sandboxProvider({ now: () => now }),
    destinations: destinationsOf[currency],
    now: () => now,
    passTime: async (ms) => {
      now = new Date(now.getTime() + ms);
    },
    pay: async ({ ref, money }) => {
      const { e2eId, at, payer } = simulateChargePaid({ ref, money, paidAt: now });
      return { e2eId, money, paidAt: at, payer };
    },
    [Symbol.asyncDispose]: async () => {},
  };
};

describePaymentProvider('sandbox', sandboxIn('BRL'), { wire: false });
describePaymentProvider('sandbox in MXN', sandboxIn('MXN'), { wire: false });

describe('charges of the sandbox', () => {
  const provider = sandboxProvider({ now: () => start });

  test('the code is unpayable: no key, a location nobody can resolve, derived from the reference', async () => {
    const input = chargeInput({ createdAt: start, money: { currency: 'BRL', amount: 1000 } });
    const outcome = await provider.createCharge(input);
    if (outcome.kind !== 'accepted' || outcome.charge.kind !== 'code') throw new Error('no code');
    const path = createHash('sha256').update(input.ref).digest('hex').slice(0, 32);
    expect(parseBrCode(outcome.charge.emv)).toMatchObject({
      ok: true,
      brCode: {
        kind: 'dynamic',
        location: `pix.sandbox.invalid/qr/v2/${path}`,
        use: 'once',
        merchantName: 'TEST MODE NAO PAGAR',
        merchantCity: 'SANDBOX',
        amountCents: 1000,
        deviations: [],
      },
    });
    expect(isChargeTxid(outcome.charge.txid)).toBe(true);
    expect(outcome.charge.expiresAt).toEqual(new Date(start.getTime() + 3_600_000));
  });

  test('nothing is sent for a charge, so nothing is announced', async () => {
    const beforeSending = vi.fn(async () => false);
    const input = chargeInput({ createdAt: start, money: { currency: 'BRL', amount: 1000 } });
    expect(await provider.createCharge(input, { beforeSending })).toMatchObject({ kind: 'accepted' });
    expect(beforeSending).not.toHaveBeenCalled();
  });

  test('a charge in MXN gives a well-formed CLABE at a bank that does not exist', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[0-9a-hjkmnp-tv-z]{26}$/), async (ref) => {
        const money = { currency: 'MXN', amount: 100_00 } as const;
        const outcome = await provider.createCharge(chargeInput({ ref, createdAt: start, money }));
        if (outcome.kind !== 'accepted' || outcome.charge.kind !== 'account') throw new Error('no account number');
        expect(parseClabe(outcome.charge.account ?? '')).toMatchObject({ ok: true, bankCode: '000' });
      }),
    );
  });
});

describe('payouts of the sandbox', () => {
  const to = (key: string, change: Partial<PayoutInput> = {}) =>
    payoutInput({ sentAt: start, destination: email(key), ...change });
  const at = (ms: number) => sandboxProvider({ now: () => new Date(start.getTime() + ms) });
  const stateAfter = async (payout: PayoutInput, ms: number) =>
    (await at(ms).getPayout({ ref: payout.ref, payout })).status;

  test('an ordinary payout is paid within two seconds, and says when to look', async () => {
    const payout = to('somebody@example.com');
    expect(await at(0).createPayout(payout)).toMatchObject({ kind: 'accepted', lookUpAfterMs: 300 });
    expect(await stateAfter(payout, 299)).toBe('PROCESSING');
    expect(await stateAfter(payout, 300)).toBe('PAID');
  });

  test('a payout that our record says was never sent is not found, whatever its key would have led to', async () => {
    for (const key of ['somebody@example.com', sandboxKeys.fail, sandboxKeys.timeout, sandboxKeys.hold]) {
      const payout = to(key);
      const lookup = { ref: payout.ref, payout, isSent: false };
      expect(await at(5000).getPayout(lookup)).toEqual({ status: 'NOT_FOUND' });
    }
  });

  test('timeout@ is unknown at first and paid within five seconds', async () => {
    const payout = to(sandboxKeys.timeout);
    expect(await at(0).createPayout(payout)).toMatchObject({ kind: 'unknown', lookUpAfterMs: 2000 });
    expect(await stateAfter(payout, 1999)).toBe('PROCESSING');
    expect(await stateAfter(payout, 2000)).toBe('PAID');
  });

  test('hold@ stays in process for ever, and promises no result', async () => {
    const payout = to(sandboxKeys.hold);
    const outcome = await at(0).createPayout(payout);
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'PROCESSING' });
    expect(outcome).toHaveProperty('lookUpAfterMs', undefined);
    expect(await stateAfter(payout, 365 * 86_400_000)).toBe('PROCESSING');
  });

  test('the magic keys work as e-mails only', () => {
    for (const key of Object.values(sandboxKeys)) {
      const plan = sandboxPayoutPlan({ destination: { type: 'random', value: key }, verifyOwner: true });
      expect(plan).toEqual({ answer: 'accepted', settlement: { settleAfterMs: 300, result: 'paid' } });
    }
  });

  test('the end-to-end id depends on the record alone, so that two processes give the same', async () => {
    const payout = to('somebody@example.com');
    const paid = await at(5000).getPayout({ ref: payout.ref, payout });
    expect(await at(0).createPayout(payout)).toMatchObject({ e2eId: paid.status === 'PAID' ? paid.e2eId : '' });
    expect(paid).toMatchObject({ e2eId: expect.stringMatching(/^E99999999202601021044/) as string });
    expect(await at(5000).getPayout({ ref: newReference(), payout: to('a@b.c') })).not.toEqual(paid);
  });

  test('a payout in MXN has a tracking key the rail would take', async () => {
    const destination = { type: 'clabe', value: '646180111805034237' } as const;
    const payout = payoutInput({ sentAt: start, destination, money: { currency: 'MXN', amount: 5000 } });
    expect(await at(5000).getPayout({ ref: payout.ref, payout })).toMatchObject({
      status: 'PAID',
      e2eId: expect.stringMatching(/^[A-Z0-9]{1,29}$/) as string,
    });
  });
});

describe('events of test mode', () => {
  const brl = { currency: 'BRL', amount: 1990 } as const;
  const mxn = { currency: 'MXN', amount: 1990 } as const;

  test('a simulated payment repeats itself, and comes from a synthetic payer at a bank that does not exist', () => {
    const payment = { ref: newReference(), money: brl, paidAt: start };
    const event = simulateChargePaid(payment);
    expect(simulateChargePaid(payment)).toEqual(event);
    expect(isEndToEndId(event.e2eId)).toBe(true);
    expect(event.e2eId.slice(1, 9)).toBe(sandboxIspb);
    expect(event.payer).toMatchObject({ name: 'PAGADOR DE TESTE', bank: 'BANCO SANDBOX', ispb: sandboxIspb });
    expect(parseDocument(event.payer?.document ?? '')).toMatchObject({ ok: true, kind: 'cpf' });
  });

  test('the payer a charge names is the one who pays', () => {
    const payer = { name: 'Maria da Silva', document: '12ABC34501DE35' };
    expect(simulateChargePaid({ ref: newReference(), money: brl, paidAt: start, payer }).payer).toMatchObject(payer);
  });

  test('a payment over SPEI carries the amount that arrived and no ISPB', () => {
    const event = simulateChargePaid({ ref: newReference(), money: mxn, paidAt: start });
    expect(event).toMatchObject({ money: mxn, e2eId: expect.stringMatching(/^[A-Z0-9]{1,29}$/) as string });
    expect(event.payer).not.toHaveProperty('ispb');
  });

  test('a payout that comes back has a return id', () => {
    const event = simulatePayoutReturned({ ref: newReference(), money: brl, at: start });
    expect(isReturnId(event.returnId)).toBe(true);
    const spei = simulatePayoutReturned({ ref: newReference(), money: mxn, at: start });
    expect(spei.returnId).toMatch(/^[A-Z0-9]{1,29}$/);
  });

  test('a dispute is due in seven days, and only a lost one gives money back', () => {
    const dispute = { disputeRef: newReference(), e2eId: 'E99999999202601021044abcdefghijk', money: brl, at: start };
    expect(simulateDisputeOpened(dispute)).toMatchObject({ dueAt: new Date('2026-01-09T10:44:37.000Z') });
    expect(simulateDisputeResolved({ ...dispute, result: 'won' }).returnId).toBeUndefined();
    const lost = simulateDisputeResolved({ ...dispute, result: 'lost' });
    expect(isReturnId(lost.returnId ?? '')).toBe(true);
    expect(lost.type).toBe('dispute.lost');
  });
});
