import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { chargeInput, newReference } from '@gateway/providers/testing';
import type { ProviderEvent } from '@gateway/providers';
import { WireBench, type ProviderId } from './wire-bench.ts';

let bench: WireBench;
beforeAll(async () => {
  bench = await WireBench.start();
  for (const id of ['efi', 'woovi'] as const) await bench.register(id);
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

type DisputeEvent = Extract<ProviderEvent, { disputeRef: string }>;

async function paidCharge(id: ProviderId): Promise<string> {
  const charge = chargeInput({ createdAt: bench.now() });
  await bench.provider(id).createCharge(charge);
  return (await bench.pay(charge)).e2eId;
}

/** What the provider answers when it is asked about a payment's disputes. */
async function asked(id: ProviderId, e2eId: string): Promise<readonly DisputeEvent[]> {
  const state = await bench.provider(id).getDisputes?.({ e2eId, paid: 1990 });
  return state?.status === 'FOUND' ? state.disputes : [];
}

/** What its list says of it. */
async function listed(id: ProviderId, e2eId: string): Promise<DisputeEvent[]> {
  const events = await bench.listed(id, 300_000, ['disputes', 'returns']);
  return events.flatMap((event) => ('disputeRef' in event && event.e2eId === e2eId ? [event] : []));
}

describe.each(['efi', 'woovi'] as const)('a dispute at %s', (id) => {
  test.each([
    ['ACCEPTED', 'dispute.lost'],
    ['REJECTED', 'dispute.won'],
    ['CANCELED', 'dispute.won'],
  ] as const)('is opened, answered, and %s: %s', async (result, type) => {
    const e2eId = await paidCharge(id);
    expect(await asked(id, e2eId)).toEqual([]);
    const { id: providerRef } = await bench.control('POST', `/payments/${e2eId}/dispute`, { amount_cents: 1000 });
    const [opened] = await asked(id, e2eId);
    const money = { currency: 'BRL', amount: 1000 };
    expect(opened).toMatchObject({ type: 'dispute.opened', e2eId, money, reason: 'FRAUD' });
    expect(opened?.dueAt?.getTime()).toBeGreaterThan(bench.now().getTime());

    const disputeRef = opened?.disputeRef ?? '';
    const proof = { text: 'delivered', documentUrls: ['https://example.com/1'] };
    const evidence = { disputeRef, e2eId, ref: newReference(), ...proof };
    expect(await bench.provider(id).submitEvidence?.(evidence)).toEqual({ kind: 'accepted' });
    expect(await listed(id, e2eId)).toMatchObject([{ type: 'dispute.review', disputeRef }]);

    await bench.control('POST', `/disputes/${String(providerRef)}/resolve`, { result });
    expect(await asked(id, e2eId)).toMatchObject([{ type, disputeRef, money }]);
    expect((await listed(id, e2eId)).at(-1)).toMatchObject({ type, disputeRef });
    expect(await bench.provider(id).submitEvidence?.(evidence)).toMatchObject({ kind: 'refused' });
  });

  test('that is taken up again is news again', async () => {
    const e2eId = await paidCharge(id);
    const { id: providerRef } = await bench.control('POST', `/payments/${e2eId}/dispute`);
    await bench.control('POST', `/disputes/${String(providerRef)}/resolve`, { result: 'REJECTED' });
    const [won] = await asked(id, e2eId);
    const [listedWon] = await listed(id, e2eId);
    await bench.passTime(1_000);
    await bench.control('POST', `/payments/${e2eId}/dispute`);
    const [openedAgain] = await asked(id, e2eId);
    expect(openedAgain).toMatchObject({ type: 'dispute.opened', disputeRef: won?.disputeRef });
    expect(openedAgain?.at.getTime()).toBeGreaterThan(won?.at.getTime() ?? Infinity);
    await bench.control('POST', `/disputes/${String(providerRef)}/resolve`, { result: 'REJECTED' });
    expect(await asked(id, e2eId)).toMatchObject([{ type: 'dispute.won', disputeRef: won?.disputeRef }]);
    expect((await listed(id, e2eId)).at(-1)?.dedupeKey).not.toBe(listedWon?.dedupeKey);
  });

  test('that is unknown takes no evidence', async () => {
    const e2eId = await paidCharge(id);
    const evidence = {
      disputeRef: 'none',
      e2eId,
      ref: newReference(),
      text: 'x',
      documentUrls: ['https://example.com/1'],
    };
    expect(await bench.provider(id).submitEvidence?.(evidence)).toMatchObject({ kind: 'refused' });
  });
});

describe.each(['efi', 'woovi'] as const)('a decision at %s whose list selects by opening', (id) => {
  test('is in no present window, and is learned by asking for the payment', async () => {
    await bench.control('POST', '/disputes', { listed_by: 'creation' });
    const e2eId = await paidCharge(id);
    const openedAt = bench.now();
    const { id: claim } = await bench.control('POST', `/payments/${e2eId}/dispute`);
    await bench.passTime(6 * 86_400_000);
    await bench.control('POST', `/disputes/${String(claim)}/resolve`, { result: 'REJECTED' });
    expect(await listed(id, e2eId)).toEqual([]);
    const state = await bench.provider(id).getDisputes?.({ e2eId, paid: 1990, openedAt });
    expect(state).toMatchObject({ disputes: [{ type: 'dispute.won', e2eId }] });
    await bench.control('POST', '/disputes', { listed_by: 'change' });
  });
});

describe('Woovi', () => {
  test('notifies of a dispute, signed, and names it', async () => {
    const e2eId = await paidCharge('woovi');
    const { id: providerRef } = await bench.control('POST', `/payments/${e2eId}/dispute`);
    const received = () => bench.eventsOf('woovi').filter((event) => 'disputeRef' in event && event.e2eId === e2eId);
    await eventually(() =>
      expect(received()).toMatchObject([{ type: 'dispute.opened', disputeRef: e2eId, providerRef }]),
    );
    await bench.control('POST', `/disputes/${String(providerRef)}/resolve`, { result: 'ACCEPTED' });
    await eventually(() =>
      expect(received().at(-1)).toMatchObject({ type: 'dispute.lost', at: expect.any(Date) as Date }),
    );
  });

  test('takes no evidence without a document', async () => {
    const e2eId = await paidCharge('woovi');
    const evidence = { disputeRef: e2eId, e2eId, ref: newReference(), text: 'x', documentUrls: [] };
    const outcome = await bench.provider('woovi').submitEvidence?.(evidence);
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'unsupported' });
  });
});

describe('the Pix API alone', () => {
  test('tells a lost dispute by the return under MED', async () => {
    const e2eId = await paidCharge('bacen');
    const { id } = await bench.control('POST', `/payments/${e2eId}/dispute`);
    await bench.control('POST', `/disputes/${String(id)}/resolve`, { result: 'ACCEPTED' });
    const lost = { type: 'dispute.lost', returnId: expect.stringMatching(/^D/) as string };
    expect(await asked('bacen', e2eId)).toMatchObject([{ ...lost, money: { currency: 'BRL', amount: 1990 } }]);
    expect(await listed('bacen', e2eId)).toMatchObject([lost]);
  });

  test('tells it however old the payment is: by its id, and in the list of the day of the payment', async () => {
    const e2eId = await paidCharge('bacen');
    await bench.passTime(89 * 86_400_000);
    const { id } = await bench.control('POST', `/payments/${e2eId}/dispute`);
    await bench.control('POST', `/disputes/${String(id)}/resolve`, { result: 'ACCEPTED' });
    expect(await asked('bacen', e2eId)).toMatchObject([{ type: 'dispute.lost' }]);
    expect(await listed('bacen', e2eId)).toEqual([]);
    const days = await bench.listed('bacen', 89 * 86_400_000 + 300_000, ['returns']);
    expect(days).toContainEqual(expect.objectContaining({ type: 'dispute.lost', e2eId }));
  });
});
