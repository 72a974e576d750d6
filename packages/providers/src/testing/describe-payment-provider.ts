import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { moves, railCurrencies, railOf, rails, type Rail, type RailCurrency } from '@gateway/money';
import { parseBrCode } from '@gateway/pix';
import type { Charge } from '#src/index.ts';
import { describeFeeds } from '#src/testing/describe-feeds.ts';
import { describeQuestions } from '#src/testing/describe-questions.ts';
import { describeStatement } from '#src/testing/describe-statement.ts';
import { chargeInput } from '#src/testing/payment-provider-inputs.ts';
import {
  accepted,
  chargeOf,
  payoutState,
  payoutTo,
  refunded,
  refundOfPaidCharge,
  settled,
  stateOf,
  type ProviderUnderTest,
} from '#src/testing/provider-under-test.ts';

/** What every adapter must do. Run once per implementation; `wire`: one that calls a provider. */
export function describePaymentProvider(
  name: string,
  setup: () => Promise<ProviderUnderTest>,
  { payouts = true, wire = true }: { readonly payouts?: boolean; readonly wire?: boolean } = {},
): void {
  describe(`${name} as a payment provider`, () => {
    let under: ProviderUnderTest;
    beforeEach(async () => {
      under = await setup();
    });
    afterEach(async () => {
      await under[Symbol.asyncDispose]();
    });

    describeCharges(() => under);
    if (payouts) describePayouts(() => under);
    else describeNoPayouts(() => under);
    describeRefunds(() => under);
    if (wire) {
      describeQuestions(() => under);
      describeFeeds(() => under);
      describeStatement(() => under);
    }
    describeEverythingElse(() => under);
  });
}

function describeCharges(under: () => ProviderUnderTest): void {
  test('a charge gives the payer something to pay that carries its amount, until it expires', async () => {
    const input = chargeOf(under(), { expiresInSec: 900 });
    const charge = await accepted(under(), input);
    expect(charge.expiresAt.getTime()).toBeGreaterThanOrEqual(input.createdAt.getTime() + 900_000);
    expectPayable(charge, under().currency);
    expect(await stateOf(under(), input)).toEqual({ status: 'OPEN' });
  });

  test('each rail it has takes charges in its currency, and no other does', async () => {
    const { provider, now } = under();
    for (const currency of railCurrencies) {
      const outcome = await provider.createCharge(chargeInput({ createdAt: now(), money: { currency, amount: 5000 } }));
      const expected = provider.capabilities.rails.some((rail) => moves(currency, rail))
        ? { kind: 'accepted', charge: { kind: railIn(currency).charge.kind } }
        : { kind: 'not_sent', reason: 'unsupported' };
      expect(outcome).toMatchObject(expected);
    }
  });

  test('the same reference is one charge however often and late it is sent', async () => {
    const input = chargeOf(under());
    const first = await accepted(under(), input);
    await under().passTime(120_000);
    expect(await accepted(under(), input)).toEqual(first);
    expect(await accepted(under(), chargeOf(under(), { createdAt: input.createdAt }))).not.toMatchObject({
      providerRef: first.providerRef,
    });
  });

  test('a charge nobody paid ends as expired', async () => {
    const input = chargeOf(under(), { expiresInSec: 900 });
    await accepted(under(), input);
    await under().passTime(901_000);
    expect(await stateOf(under(), input)).toEqual({ status: 'EXPIRED' });
  });

  test('canceling is harmless to repeat', async () => {
    const input = chargeOf(under());
    const { providerRef } = await accepted(under(), input);
    const lookup = { ref: input.ref, providerRef, charge: input };
    expect(await under().provider.cancelCharge(lookup)).toEqual({ kind: 'accepted' });
    expect(['accepted', 'not_cancelable']).toContain((await under().provider.cancelCharge(lookup)).kind);
  });

  test('a payment has an id that fits its rail, the amount that arrived and a payer', async () => {
    const input = chargeOf(under());
    await accepted(under(), input);
    const receipt = await under().pay(input);
    expect(receipt.e2eId).toMatch(railIn(under().currency).paymentIdPattern);
    expect(receipt.money).toEqual(input.money);
    expect(receipt.payer?.name).toBeTruthy();
  });
}

function railIn(currency: RailCurrency): Rail {
  return rails[railOf(currency)];
}

/** PIX: a code that carries the amount. SPEI: an account number; the payer types the amount. */
function expectPayable(charge: Charge, currency: RailCurrency): void {
  expect(charge.kind).toBe(railIn(currency).charge.kind);
  if (charge.kind === 'account') return expect(charge.account).toMatch(/^\d{18}$/);
  expect(parseBrCode(charge.emv)).toMatchObject({ ok: true, brCode: { kind: 'dynamic', amountCents: 1990 } });
}

function describePayouts(under: () => ProviderUnderTest): void {
  test('a payout is accepted, then paid, under one end-to-end id', async () => {
    const payout = payoutTo(under(), under().destinations.paid);
    const outcome = await under().provider.createPayout(payout);
    expect(outcome).toMatchObject({ kind: 'accepted' });
    const paid = await settled(under(), payout);
    expect(paid).toMatchObject({
      status: 'PAID',
      e2eId: expect.stringMatching(railIn(under().currency).paymentIdPattern) as string,
    });
    if (outcome.kind === 'accepted' && outcome.e2eId) expect(paid).toMatchObject({ e2eId: outcome.e2eId });
  });

  test('the same reference is one payment however often and late it is sent', async () => {
    const payout = payoutTo(under(), under().destinations.paid);
    await under().provider.createPayout(payout);
    const first = await settled(under(), payout);
    await under().passTime(120_000);
    await under().provider.createPayout(payout);
    expect(await settled(under(), payout)).toEqual(first);
  });

  test('a refusal says why, and nothing is ever paid', async () => {
    const { destination, code } = under().destinations.refused;
    const payout = payoutTo(under(), destination);
    expect(await under().provider.createPayout(payout)).toMatchObject({ kind: 'refused', code });
    await under().passTime(10_000);
    expect(['NOT_FOUND', 'FAILED']).toContain((await payoutState(under(), payout)).status);
  });

  test('a failure on the rail says why, and stays one', async () => {
    const { destination, code } = under().destinations.failed;
    const payout = payoutTo(under(), destination);
    expect(await under().provider.createPayout(payout)).toMatchObject({ kind: 'accepted', status: 'PROCESSING' });
    expect(await settled(under(), payout)).toMatchObject({ status: 'FAILED', code });
    await under().passTime(600_000);
    expect(await payoutState(under(), payout)).toMatchObject({ status: 'FAILED', code });
  });

  test('an order without an answer is unknown, never refused, and a lookup finds it paid', async () => {
    const payout = payoutTo(under(), under().destinations.unanswered);
    expect(await under().provider.createPayout(payout)).toMatchObject({ kind: 'unknown' });
    const paid = await settled(under(), payout);
    expect(paid).toMatchObject({ status: 'PAID' });
    await under().provider.createPayout(payout);
    expect(await settled(under(), payout)).toEqual(paid);
  });

  test("somebody else's key is refused when the owner is to be verified, and only then", async () => {
    const { provider, destinations } = under();
    const verified = await provider.createPayout(payoutTo(under(), destinations.foreign, { verifyOwner: true }));
    expect(verified).toMatchObject(
      provider.capabilities.ownerCheck
        ? { kind: 'refused', code: 'owner_mismatch' }
        : { kind: 'not_sent', reason: 'unsupported' },
    );
    const unverified = payoutTo(under(), destinations.foreign);
    expect(await provider.createPayout(unverified)).toMatchObject({ kind: 'accepted' });
    expect(await settled(under(), unverified)).toMatchObject({ status: 'PAID' });
  });
}

function describeNoPayouts(under: () => ProviderUnderTest): void {
  test('it pays nothing and says so at once', async () => {
    const payout = payoutTo(under(), under().destinations.paid);
    expect(under().provider.capabilities.payout).toBe(false);
    expect(await under().provider.createPayout(payout)).toMatchObject({ kind: 'not_sent', reason: 'unsupported' });
    expect(await payoutState(under(), payout)).toEqual({ status: 'NOT_FOUND' });
  });
}

function describeRefunds(under: () => ProviderUnderTest): void {
  test('a payment goes back once, under one return id', async () => {
    const { provider } = under();
    const refund = await refundOfPaidCharge(under());
    const outcome = await provider.refund(refund);
    if (provider.capabilities.refund === 'none') {
      expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'unsupported' });
      return;
    }
    expect(outcome).toMatchObject({ kind: 'accepted' });
    const done = await refunded(under(), refund);
    expect(done).toMatchObject({
      status: 'DONE',
      returnId: expect.stringMatching(railIn(under().currency).returnIdPattern) as string,
    });
    await provider.refund(refund);
    expect(await refunded(under(), refund)).toEqual(done);
  });
}

function describeEverythingElse(under: () => ProviderUnderTest): void {
  test('a call whose deadline has passed is not sent, and a lookup knows nothing', async () => {
    const { provider, destinations } = under();
    const signal = AbortSignal.abort();
    const charge = chargeOf(under());
    const payout = payoutTo(under(), destinations.paid);
    const refund = await refundOfPaidCharge(under());
    const notSent = { kind: 'not_sent', reason: 'aborted' };
    expect(await provider.createCharge(charge, { signal })).toMatchObject(notSent);
    expect(await provider.cancelCharge({ ref: charge.ref, charge }, { signal })).toMatchObject(notSent);
    const { payout: pays } = provider.capabilities;
    expect(await provider.createPayout(payout, { signal })).toMatchObject(pays ? notSent : { kind: 'not_sent' });
    expect(await provider.refund(refund, { signal })).toMatchObject(notSent);
    const unavailable = { status: 'UNAVAILABLE' };
    expect(await provider.getCharge({ ref: charge.ref, charge }, { signal })).toMatchObject(unavailable);
    const noPayout = pays ? unavailable : { status: 'NOT_FOUND' };
    expect(await provider.getPayout({ ref: payout.ref, payout }, { signal })).toMatchObject(noPayout);
    expect(await provider.getRefund({ ref: refund.ref, refund }, { signal })).toMatchObject(unavailable);
  });

  test('a notification nobody signed moves no money, whatever is in it', async () => {
    const { provider } = under();
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((json) => new TextEncoder().encode(json)),
    );
    const header = fc.dictionary(fc.stringMatching(/^[a-z-]{1,20}$/), fc.string());
    await fc.assert(
      fc.asyncProperty(body, header, fc.ipV4(), async (rawBody, headers, remoteIp) => {
        const result = await provider.verifyAndParseNotification({
          rawBody,
          headers,
          query: {},
          pathSuffix: '',
          remoteIp,
          receivedAt: under().now(),
        });
        expect(result.ok && result.grade === 'ours').toBe(false);
      }),
    );
  });

  test('a balance is told in minor units of its rails, or not at all', async () => {
    const { provider } = under();
    const result = await provider.balance();
    expect(result.ok).toBe(provider.capabilities.balance);
    for (const { currency, available, blocked } of result.ok ? result.balances : []) {
      expect(provider.capabilities.rails.some((rail) => moves(currency, rail))).toBe(true);
      expect([available, blocked].every(Number.isSafeInteger)).toBe(true);
    }
  });

  test('a reference of 26 characters fits', () => {
    const { limits } = under().provider.capabilities;
    expect(Math.min(limits.chargeRefMaxCharacters, limits.payoutRefMaxCharacters)).toBeGreaterThanOrEqual(26);
  });
}
