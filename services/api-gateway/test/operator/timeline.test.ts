import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getOperatorConversion } from '@gateway/contracts/conversions';
import {
  getOperatorDeposit,
  getOperatorDispute,
  getReturn,
  listOperatorDisputes,
  listOperatorRefunds,
  listOrphanReceipts,
  lookUpDeposit,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { listEntries } from '@gateway/contracts/ledger';
import { getOperatorPayout } from '@gateway/contracts/payouts';
import { findDeliveries } from '@gateway/contracts/webhooks';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import {
  completedConversion as conversion,
  creditedPayment as payment,
  entryOf,
  operatorDepositOf,
  operatorPayoutOf,
} from '../harness/records.ts';
import { contradicted, operatorDisputeOf, operatorRefundOf } from '../harness/returned-money.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const deposit = operatorDepositOf({});
const payout = operatorPayoutOf({});
const refund = operatorRefundOf({ unknownSince: '2026-01-05T10:05:00.000Z', finishedAt: '2026-01-05T10:06:00.000Z' });
const dispute = operatorDisputeOf({
  ...contradicted,
  openedAt: '2026-01-05T11:00:00.000Z',
  resolvedAt: '2026-01-09T11:00:00.000Z',
  evidence: [
    {
      ...{ text: 't', urls: [], files: [], status: 'ACCEPTED', sentAt: '2026-01-06T11:00:00.000Z' },
      ...{ failureReason: null, failureMessage: null, providerMessage: null },
    },
  ],
  attentionAt: '2026-01-07T11:00:00.000Z',
});

/** Until when the webhooks service does not answer. */
let webhooksAway: Promise<void> | undefined;
let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway([
    answering(getOperatorDeposit, async () => ({ deposit, payments: [payment], transfers: [] })),
    answering(lookUpDeposit, async () => ({ before: deposit, deposit })),
    answering(getOperatorPayout, async ({ id }) => {
      if (id !== payout.id) throw new NotFoundError('payout');
      return { payout };
    }),
    answering(getOperatorConversion, async ({ id }) => {
      if (id !== conversion.id) throw new NotFoundError('conversion');
      return { conversion };
    }),
    answering(getReturn, async ({ id }) => {
      if (id !== refund.id) throw new NotFoundError('refund');
      return { kind: 'refund' as const, record: refund };
    }),
    answering(getOperatorDispute, async ({ id }) => {
      if (id !== dispute.id) throw new NotFoundError('dispute');
      return { dispute };
    }),
    answering(listOperatorRefunds, async () => ({ refunds: [], nextCursor: null })),
    answering(listOperatorDisputes, async () => ({ disputes: [], nextCursor: null })),
    answering(listOrphanReceipts, async () => ({ receipts: [], nextCursor: null })),
    answering(listEntries, async ({ environment, accountId: owner }) => ({
      entries: [entryOf({ environment, accountId: owner }, 1_990)],
      nextCursor: null,
    })),
    answering(findDeliveries, async ({ environment, accountId: owner, dataId }) => {
      await webhooksAway;
      const sent = { status: 'DELIVERED' as const, attempts: 1, latencyMs: 9, responseStatus: 200, error: null };
      const deliveries = [
        { webhookId: newId('webhook'), callbackUrl: null },
        { webhookId: null, callbackUrl: 'https://shop.example/callback' },
      ].map((receiver) => ({
        ...{ id: newId('delivery'), ...receiver, event: 'deposit.paid' as const, dataId: dataId!, ...sent },
        ...{ createdAt: 1_767_000_000, nextAttemptAt: null, environment: environment!, accountId: owner! },
      }));
      return { deliveries, nextCursor: null };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

describe('a timeline', () => {
  test('of a deposit has its creation, its payment, its entries, its deliveries and what operators did, in order', async () => {
    await gateway.asOperator('POST', `/ops/deposits/${deposit.id}/look-up`);
    const { status, body } = await gateway.asOperator('GET', `/ops/deposits/${deposit.id}/timeline`);
    expect([status, body]).toMatchObject([200, { incomplete: [] }]);
    const events = body.data as unknown as { at: string; kind: string; what: string; by: string | null }[];
    expect(events.map(({ kind, what }) => `${kind} ${what}`).toSorted()).toEqual([
      'ledger DEPOSIT_NET',
      'operator deposit.look-up',
      'provider payment',
      'state created',
      'webhook deposit.paid: delivered',
      'webhook deposit.paid: delivered',
    ]);
    expect(events.map(({ at }) => at).toSorted()).toEqual(events.map(({ at }) => at));
    expect(events.find(({ kind }) => kind === 'operator')?.by).toBe('ana');
  });

  test.each([
    ['payouts', payout.id, newId('payout')],
    ['conversions', conversion.id, newId('conversion')],
    ['refunds', refund.id, newId('refund')],
    ['disputes', dispute.id, newId('dispute')],
  ])('of %s has entries and deliveries too, and is 404 for one that does not exist', async (noun, id, unknown) => {
    const { status, body } = await gateway.asOperator('GET', `/ops/${noun}/${id}/timeline`);
    const kinds = (body.data as unknown as { kind: string }[]).map(({ kind }) => kind);
    expect([status, new Set(kinds).isSupersetOf(new Set(['state', 'ledger', 'webhook']))]).toEqual([200, true]);
    expect((await gateway.asOperator('GET', `/ops/${noun}/${unknown}/timeline`)).status).toBe(404);
    expect((await gateway.asOperator('GET', `/ops/${noun}/nonsense/timeline`)).status).toBe(404);
  });

  test.each([
    ['refunds', refund.id, ['refund created', 'refund without an answer', 'refund done']],
    ['disputes', dispute.id, ['dispute opened', 'evidence accepted', 'attention: contradiction', 'dispute lost']],
  ])('of %s has what became of it, in order', async (noun, id, steps) => {
    const { body } = await gateway.asOperator('GET', `/ops/${noun}/${id}/timeline`);
    const events = body.data as unknown as { kind: string; what: string; at: string }[];
    const own = events.filter(({ kind }) => kind === 'state' || kind === 'provider');
    expect(own.map(({ what }) => what).toSorted()).toEqual(steps.toSorted());
    expect(events.map(({ at }) => at).toSorted()).toEqual(events.map(({ at }) => at));
  });

  test('names the service that does not answer in time, and has what the others know', async () => {
    const back = Promise.withResolvers<void>();
    webhooksAway = back.promise;
    const { body } = await gateway.asOperator('GET', `/ops/deposits/${deposit.id}/timeline`);
    back.resolve();
    webhooksAway = undefined;
    expect(body).toMatchObject({ incomplete: ['webhooks'] });
    expect((body.data as unknown as { kind: string }[]).map(({ kind }) => kind)).toContain('ledger');
  });
});
