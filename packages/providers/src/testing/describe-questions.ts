import { expect, test } from 'vitest';
import type { PayoutInput, PayoutReturns } from '#src/index.ts';
import {
  accepted,
  chargeOf,
  payoutTo,
  refundOfPaidCharge,
  refunded,
  settled,
  stateOf,
  type OthersAtProvider,
  type ProviderUnderTest,
} from '#src/testing/provider-under-test.ts';
import { payoutInput } from '#src/testing/payment-provider-inputs.ts';

const dayMs = 86_400_000;

function othersOf({ others }: ProviderUnderTest): OthersAtProvider {
  if (!others) throw new Error('nobody else is at this provider');
  return others;
}

/** Every fact that moves money has a question of its own, by our reference or the provider's id, whatever its age. */
export function describeQuestions(under: () => ProviderUnderTest): void {
  test('a charge is announced before anything is sent for it, and one that is called off is not there', async () => {
    const { provider } = under();
    const [input, other] = [chargeOf(under()), chargeOf(under())];
    const seen: string[] = [];
    const outcome = await provider.createCharge(input, {
      beforeSending: async () => {
        seen.push((await stateOf(under(), input)).status);
        return true;
      },
    });
    expect(outcome).toMatchObject({ kind: 'accepted' });
    expect(seen[0]).toBe('NOT_FOUND');
    const calledOff = await provider.createCharge(other, { beforeSending: async () => false });
    expect(calledOff).toMatchObject({ kind: 'not_sent', reason: 'aborted' });
    expect(await stateOf(under(), other)).toMatchObject({ status: 'NOT_FOUND' });
  });

  test('each fact it may tell has a question', () => {
    const { provider } = under();
    const { capabilities } = provider;
    expect('getPayoutReturns' in provider).toBe(capabilities.payout);
    if (capabilities.disputes) expect(provider).toHaveProperty('getDisputes');
    expect('submitEvidence' in provider).toBe(capabilities.evidence !== 'none');
  });

  test('a record that does not agree with what the provider has is told to differ, and is neither paid nor refused', async () => {
    const { provider, destinations, currency } = under();
    if (provider.capabilities.payout) {
      const payout = payoutTo(under(), destinations.paid);
      await provider.createPayout(payout);
      await settled(under(), payout);
      const other = { ...payout, money: { currency, amount: payout.money.amount + 1 } };
      const differs = { field: 'amount', reported: String(payout.money.amount) };
      expect(await provider.getPayout({ ref: other.ref, payout: other })).toEqual({ status: 'DIFFERS', ...differs });
      expect(await provider.createPayout(other)).toMatchObject({ kind: 'unknown', differs });
      const returns = await provider.getPayoutReturns?.({ ref: other.ref, payout: other });
      if (currency === 'BRL') expect(returns).toMatchObject({ status: 'UNAVAILABLE' });
    }
    const refund = await refundOfPaidCharge(under());
    const part = { ...refund, money: { currency, amount: 1000 } };
    await provider.refund(part);
    await refunded(under(), part);
    const differs = { field: 'amount', reported: '1000' };
    const other = { ...part, money: { currency, amount: 999 } };
    expect(await provider.getRefund({ ref: other.ref, refund: other })).toEqual({ status: 'DIFFERS', ...differs });
    expect(await provider.refund(other)).toMatchObject({ kind: 'unknown', differs });
  });

  describeQuestionsOfPayouts(under);
  describeQuestionsOfPayments(under);
}

function describeQuestionsOfPayouts(under: () => ProviderUnderTest): void {
  test('what came back of a payout is told part by part, and the same three months later', async () => {
    const { provider, destinations, currency } = under();
    if (!provider.getPayoutReturns) return;
    const payout = payoutTo(under(), destinations.paid);
    await provider.createPayout(payout);
    await settled(under(), payout);
    const lookup = { ref: payout.ref, payout };
    expect(await provider.getPayoutReturns(lookup)).toEqual({ status: 'FOUND', returns: [] });
    if (under().returnsWhole === true) return await expectWholeReturn(under(), payout);
    await othersOf(under()).returnPayout(payout, 1000);
    await under().passTime(89 * dayMs);
    await othersOf(under()).returnPayout(payout, 250);
    const answer = await provider.getPayoutReturns(lookup);
    const returns = answer.status === 'FOUND' ? answer.returns : [];
    expect(returns.map(({ money }) => money)).toEqual([1000, 250].map((amount) => ({ currency, amount })));
    expect(new Set(returns.map(({ returnId }) => returnId)).size).toBe(2);
    const [first, second] = returns;
    expect((second?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0)).toBeGreaterThan(88 * dayMs);
  });

  test('of a payout it does not know nothing came back', async () => {
    const { provider, destinations, currency } = under();
    const destination = destinations.paid;
    const payout = payoutInput({ sentAt: under().now(), destination, money: { currency, amount: 1250 } });
    const lookup = { ref: payout.ref, payout };
    if (provider.getPayoutReturns) expect(await provider.getPayoutReturns(lookup)).toEqual({ status: 'NOT_FOUND' });
  });
}

/** Three months later, and the payout stays paid. */
async function expectWholeReturn(under: ProviderUnderTest, payout: PayoutInput): Promise<void> {
  const { provider } = under;
  const lookup = { ref: payout.ref, payout };
  await under.passTime(89 * dayMs);
  await othersOf(under).returnPayout(payout, payout.money.amount);
  const answer = await provider.getPayoutReturns?.(lookup);
  expect(answer).toMatchObject({ status: 'FOUND', returns: [{ money: payout.money }] });
  expect(await provider.getPayoutReturns?.(lookup)).toMatchObject(idsOf(answer));
  expect(await provider.getPayout(lookup)).toMatchObject({ status: 'PAID' });
}

function idsOf(answer: PayoutReturns | undefined) {
  return { returns: answer?.status === 'FOUND' ? answer.returns.map(({ returnId }) => ({ returnId })) : [] };
}

function describeQuestionsOfPayments(under: () => ProviderUnderTest): void {
  test('of a payment nobody contested there is no dispute', async () => {
    const { provider } = under();
    const charge = chargeOf(under());
    await accepted(under(), charge);
    const { e2eId } = await under().pay(charge);
    const disputes = await provider.getDisputes?.({ e2eId, paid: charge.money.amount });
    if (disputes) expect(disputes).toEqual({ status: 'NOT_FOUND' });
  });

  test('a payment whose money was taken back is told as a lost dispute of its amount, the same however often it is asked', async () => {
    const { provider } = under();
    if (!provider.getDisputes) return;
    const charge = chargeOf(under());
    await accepted(under(), charge);
    const { e2eId, money } = await under().pay(charge);
    const claim = await othersOf(under()).contest(e2eId);
    const lookup = { e2eId, paid: money.amount };
    if (provider.capabilities.disputes) {
      expect(await provider.getDisputes(lookup)).toMatchObject({
        disputes: [{ type: 'dispute.opened', e2eId, money }],
      });
    }
    await under().passTime(6 * dayMs);
    await othersOf(under()).accept(claim);
    const lost = await provider.getDisputes(lookup);
    expect(lost).toMatchObject({ status: 'FOUND', disputes: [{ type: 'dispute.lost', e2eId, money }] });
    const again = await provider.getDisputes(lookup);
    const refsOf = (state: typeof lost) =>
      state.status === 'FOUND' ? state.disputes.map(({ disputeRef, dedupeKey }) => [disputeRef, dedupeKey]) : [];
    expect(refsOf(again)).toEqual(refsOf(lost));
  });
}
