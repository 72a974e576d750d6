import { expect, test } from 'vitest';
import type { StatementLine } from '#src/statement.ts';
import {
  accepted,
  chargeOf,
  payoutTo,
  refunded,
  settled,
  type ProviderUnderTest,
} from '#src/testing/provider-under-test.ts';
import { refundInput } from '#src/testing/payment-provider-inputs.ts';
import { linesOf, rowsOf } from '#src/testing/read-feed.ts';

const marginMs = 1_000;

/** The provider's own list of what moved, as lines that name what they belong to. */
export function describeStatement(under: () => ProviderUnderTest): void {
  test('a payment and what was sent back of it are a line each, with sign, amount and the ids of the rail', async () => {
    const window = windowFrom(under());
    const { e2eId, returnId, ref } = await paidAndRefunded(under());
    const lines = await linesOf(under().provider, window());
    expect(lines.filter((line) => line.e2eId === e2eId && line.kind === 'payment')).toMatchObject([
      { amount: 1990, currency: under().currency, kind: 'payment' },
    ]);
    const refunds = lines.filter((line) => line.returnId === returnId || line.ourRef === ref);
    expect(refunds).toMatchObject([{ amount: -1990, returnId }]);
    // A statement may have one type for what we sent back and what was taken back.
    expect(['refund', 'other']).toContain(refunds[0]?.kind);
  });

  test('a payout and what came back of it are a line each, where the account lists payouts', async () => {
    const { provider, others, destinations, returnsWhole = false } = under();
    if (provider.capabilities.statement !== 'account' || !others) return;
    const window = windowFrom(under());
    const payout = payoutTo(under(), destinations.paid);
    await provider.createPayout(payout);
    const paid = await settled(under(), payout);
    await others.returnPayout(payout, 400);
    const lines = (await linesOf(provider, window())).filter(({ ourRef }) => ourRef === payout.ref);
    const back = returnsWhole ? payout.money.amount : 400;
    expect(lines.map(({ kind, amount }) => ({ kind, amount })).toSorted((a, b) => a.amount - b.amount)).toEqual([
      { kind: 'payout', amount: -payout.money.amount },
      { kind: 'return', amount: back },
    ]);
    expect(lines.find(({ kind }) => kind === 'payout')?.e2eId).toBe(paid.status === 'PAID' ? paid.e2eId : null);
    expect(lines.find(({ kind }) => kind === 'return')?.returnId).toBeTruthy();
  });

  test('a line has one key whenever and in whatever pages it is listed', async () => {
    const window = windowFrom(under());
    await paidAndRefunded(under());
    const whole = await linesOf(under().provider, window());
    const single = await linesOf(under().provider, { ...window(), pageItems: 1 });
    expect(keysOf(single)).toEqual(keysOf(whole));
    expect(new Set(keysOf(whole)).size).toBe(keysOf(whole).length);
  });

  test('a statement is read only where the provider is said to have one', () => {
    const { capabilities, statement } = under().provider;
    expect(statement !== undefined).toBe(capabilities.statement !== 'none');
  });

  test('a call of the statement whose deadline has passed is no page, and throws nothing', async () => {
    const { statement } = under().provider;
    const page = await statement?.readPage(windowFrom(under())(), { signal: AbortSignal.abort() });
    expect(page?.kind ?? 'unavailable').toBe('unavailable');
  });

  test('a row is the same after it was stored, and reads the same', async () => {
    const { statement } = under().provider;
    if (!statement) return;
    const window = windowFrom(under());
    await paidAndRefunded(under());
    const rows = await rowsOf(statement, window());
    const stored = JSON.parse(JSON.stringify(rows)) as typeof rows;
    expect(stored.map((row) => statement.read(row))).toEqual(rows.map((row) => statement.read(row)));
  });
}

function keysOf(lines: readonly StatementLine[]): string[] {
  return lines.map(({ lineKey }) => lineKey).toSorted();
}

/** From now on to whenever it is asked for. */
function windowFrom({ now }: ProviderUnderTest): () => { readonly from: Date; readonly to: Date } {
  const from = now();
  return () => ({ from, to: new Date(now().getTime() + marginMs) });
}

async function paidAndRefunded(under: ProviderUnderTest) {
  const charge = chargeOf(under);
  const { providerRef } = await accepted(under, charge);
  const { e2eId, transferId } = await under.pay(charge);
  const named = transferId === undefined ? {} : { transferId };
  const refund = refundInput({
    money: charge.money,
    sentAt: under.now(),
    receipt: { e2eId, ...named, chargeRef: charge.ref, chargeProviderRef: providerRef },
  });
  await under.provider.refund(refund);
  const done = await refunded(under, refund);
  if (done.status !== 'DONE') throw new Error(`the refund is ${done.status}`);
  return { e2eId, returnId: done.returnId, ref: refund.ref };
}
