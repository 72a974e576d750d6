import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cancelDeposit,
  createRefund,
  getDispute,
  getRefund,
  listAccountRefunds,
  showAccountRefunds,
  listDisputes,
  showDisputes,
  listRefunds,
  showRefunds,
  simulateDispute,
  simulateDisputeResult,
  simulateExpiry,
  submitEvidence,
  type Deposit,
  type Dispute,
  type Refund,
} from '@gateway/contracts/deposits';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { releasePendingDeposits } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { listing } from '../harness/listing.ts';
import { depositOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const refunds: Refund[] = [];
const disputes: Dispute[] = [];
const evidence: { text: string; urls: readonly string[] }[] = [];
const asked: unknown[] = [];
const canceled = newId('deposit');
const depositId = newId('deposit');
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

function depositWith(accountId: string, id: string, status: 'FAILED' | 'EXPIRED'): Deposit {
  const request = { environment: 'test', externalId: 'order-1', currency: 'BRL', paymentMethod: 'PIX' };
  const rest = { amount: 1_000, payer: null, callbackUrl: null, metadata: {}, apiVersion: '0.1', expiresInSec: 60 };
  const wanted = { ...request, ...rest, account: { id: accountId } } as Parameters<typeof depositOf>[0];
  return { ...depositOf(wanted), id, status };
}

function disputeOf(accountId: string, amount: number): Dispute {
  return {
    ...{ id: newId('dispute'), environment: 'test', accountId, depositId, externalId: 'order-1', e2eId: 'E1' },
    ...{ currency: 'BRL', amount, blocked: amount, returned: 0, reason: 'FRAUD', status: 'OPEN' },
    ...{ openedAt: '2026-01-02T03:04:05.678Z', defenseDueAt: null, resolvedAt: null },
    evidence: [
      {
        ...{ text: 'delivered', urls: [], files: [], status: 'REFUSED', sentAt: null },
        ...{ failureReason: 'refused', failureMessage: 'The provider refused the evidence.' },
      },
    ],
  };
}

function requireDispute(id: string): Dispute {
  const found = disputes.find((each) => each.id === id);
  if (!found) throw new NotFoundError('dispute');
  return found;
}

beforeAll(async () => {
  gateway = await startGateway([
    answering(cancelDeposit, async ({ id, accountId }) => {
      if (id !== canceled) throw new DomainError('INVALID_STATE', 'a deposit that is PAID cannot do this');
      return { deposit: depositWith(accountId, id, 'FAILED') };
    }),
    answering(createRefund, async (request) => {
      const known = refunds.find(({ externalId }) => externalId === request.externalId);
      if (known) return { created: false, refund: known };
      if ((request.amount ?? 0) > 1_000) throw new DomainError('REFUND_EXCEEDS_AMOUNT', 'too much');
      const { environment, accountId, externalId, reason } = request;
      const refund: Refund = {
        ...{ id: newId('refund'), environment, accountId, depositId: request.depositId, externalId, reason },
        ...{ status: 'DONE', currency: 'BRL', amount: request.amount ?? 1_000, returnId: 'D1' },
        ...{ failureReason: null, failureMessage: null, createdAt: 1_767_000_000, finishedAt: null },
      };
      refunds.push(refund);
      return { created: true, refund };
    }),
    ...listing('refund', { list: listRefunds, show: showRefunds }, async () => ({ refunds, nextCursor: null })),
    answering(getRefund, async ({ id, accountId }) => {
      const found = refunds.find((each) => each.id === id && each.accountId === accountId);
      if (!found) throw new NotFoundError('refund');
      return { refund: found };
    }),
    ...listing('refund', { list: listAccountRefunds, show: showAccountRefunds }, async (request) => {
      asked.push(request);
      return { refunds, nextCursor: null };
    }),
    answering(simulateDispute, async ({ accountId, amount }) => {
      disputes.push(disputeOf(accountId, amount ?? 1_000));
      return { dispute: disputes.at(-1)! };
    }),
    answering(simulateDisputeResult, async ({ id, result }) => {
      return { dispute: { ...requireDispute(id), status: result === 'won' ? ('WON' as const) : ('LOST' as const) } };
    }),
    answering(getDispute, async ({ id }) => ({ dispute: requireDispute(id) })),
    ...listing('dispute', { list: listDisputes, show: showDisputes }, async ({ depositId: of }) => ({
      disputes: disputes.filter((each) => of === undefined || each.depositId === of),
      nextCursor: null,
    })),
    answering(submitEvidence, async ({ id, text, urls }) => {
      evidence.push({ text, urls });
      return { dispute: { ...requireDispute(id), status: 'UNDER_ANALYSIS' as const } };
    }),
    answering(simulateExpiry, async ({ id, accountId }) => ({ deposit: depositWith(accountId, id, 'EXPIRED') })),
    answering(releasePendingDeposits, async () => ({
      balances: [{ currency: 'BRL' as const, available: 500, pending: 0, blocked: 0 }],
    })),
  ]);
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const post = (path: string, body?: unknown, key = account.test) => gateway.asMerchant(key, 'POST', path, { body });
const get = (path: string) => gateway.asMerchant(account.test, 'GET', path);
const beta1 = { 'x-api-version': '1.0' };
const pathsOf = ({ body }: Awaited<ReturnType<typeof post>>) => body.error.details.map(({ path }) => path);

describe('a cancellation', () => {
  test('answers the FAILED deposit, or 409 when it is too late', async () => {
    expect((await post(`/v1/deposits/${canceled}/cancel`)).body).toMatchObject({ object: 'deposit', status: 'FAILED' });
    const late = await post(`/v1/deposits/${newId('deposit')}/cancel`);
    expect([late.status, late.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect((await post('/v1/deposits/nonsense/cancel')).status).toBe(404);
  });
});

describe('a refund request', () => {
  const path = `/v1/deposits/${depositId}/refunds`;

  test('is 201 wrapped in `refund`, 200 when repeated, and is listed', async () => {
    const first = await post(path, { amount_cents: 400, external_id: 'r-1', reason: 'item missing' });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      refund: { object: 'refund', deposit_id: depositId, amount_cents: 400, status: 'DONE', reason: 'item missing' },
    });
    expect((await post(path, { external_id: 'r-1' })).status).toBe(200);
    expect((await get(path)).body.data).toMatchObject([{ external_id: 'r-1' }]);
  });

  test('leaves a refund that is read by its id, and among all of the account', async () => {
    const { refund } = (await post(path, { external_id: 'r-3' })).body as unknown as { refund: { id: string } };
    const { id } = refund;
    expect((await get(`/v1/refunds/${id}`)).body).toMatchObject({ id, object: 'refund', amount_cents: 1_000 });
    const beta = await gateway.asMerchant(account.test, 'GET', `/v1/refunds/${id}`, { headers: beta1 });
    expect(beta.body).toMatchObject({ id, amount: 1_000, currency: 'BRL' });
    expect((await get(`/v1/refunds/${newId('refund')}`)).status).toBe(404);
    expect((await get('/v1/refunds/nonsense')).status).toBe(404);
    const listed = await get(`/v1/refunds?status=DONE&deposit_id=${depositId}&limit=7`);
    expect(listed.body.data.map((each) => each.id)).toContain(id);
    expect(asked.at(-1)).toMatchObject({ status: 'DONE', depositId, limit: 7 });
    expect(pathsOf(await get('/v1/refunds?status=SENT'))).toEqual(['status']);
  });

  test('for more than is left is 422', async () => {
    const { status, body } = await post(path, { amount_cents: 1_001, external_id: 'r-2' });
    expect([status, body.error.code]).toEqual([422, 'REFUND_EXCEEDS_AMOUNT']);
  });

  test.each<[string, object, string]>([
    ['no external_id', {}, 'external_id'],
    ['an external_id of 121 characters', { external_id: 'x'.repeat(121) }, 'external_id'],
    ['an amount of zero', { external_id: 'r', amount_cents: 0 }, 'amount_cents'],
    ['an amount in text', { external_id: 'r', amount_cents: '1' }, 'amount_cents'],
    ['a reason of 141 characters', { external_id: 'r', reason: 'x'.repeat(141) }, 'reason'],
  ])('with %s is refused by name', async (_case, body, named) => {
    const answer = await post(path, body);
    expect([answer.status, pathsOf(answer)]).toEqual([400, [named]]);
  });
});

describe('a dispute', () => {
  const open = async (body?: unknown) => (await post(`/v1/test/deposits/${depositId}/dispute`, body)).body;

  test('of a test deposit is opened, read, listed, defended and decided', async () => {
    const { id } = await open({ amount_cents: 300 });
    expect((await get(`/v1/disputes/${id}`)).body).toMatchObject({ object: 'dispute', amount_cents: 300 });
    expect((await get(`/v1/disputes?deposit_id=${depositId}`)).body.data.map((each) => each.id)).toContain(id);
    const defended = await post(`/v1/disputes/${id}/evidence`, { text: 'delivered', urls: ['https://shop.example/1'] });
    expect(defended.body.status).toBe('UNDER_ANALYSIS');
    expect(evidence).toContainEqual({ text: 'delivered', urls: ['https://shop.example/1'] });
    expect((await post(`/v1/test/disputes/${id}/resolve`, { result: 'lost' })).body.status).toBe('LOST');
  });

  test('says what became of evidence in the language that the caller reads', async () => {
    const { id } = await open();
    const headers = { 'accept-language': 'pt-BR' };
    for (const path of [`/v1/disputes/${id}`, '/v1/disputes']) {
      const { text } = await gateway.asMerchant(account.test, 'GET', path, { headers });
      expect(text).toContain('"failure_message":"O provedor recusou as provas."');
    }
  });

  test.each<[string, object, string]>([
    ['no text', {}, 'text'],
    ['a text of 4,001 characters', { text: 'x'.repeat(4_001) }, 'text'],
    ['an http document', { text: 'x', urls: ['http://shop.example'] }, 'urls.0'],
    ['eleven documents', { text: 'x', urls: Array.from({ length: 11 }, () => 'https://shop.example') }, 'urls'],
  ])('with %s as evidence is refused by name', async (_case, body, named) => {
    const { id } = await open();
    const answer = await post(`/v1/disputes/${id}/evidence`, body);
    expect([answer.status, pathsOf(answer)]).toEqual([400, [named]]);
  });

  test('is decided as won or lost, nothing else, and an unknown one is 404', async () => {
    const { id } = await open();
    expect(pathsOf(await post(`/v1/test/disputes/${id}/resolve`, { result: 'draw' }))).toEqual(['result']);
    expect((await get(`/v1/disputes/${newId('dispute')}`)).status).toBe(404);
    expect(pathsOf(await get('/v1/disputes?status=DONE'))).toEqual(['status']);
  });
});

describe('test mode', () => {
  test('lets the time of a deposit be up and releases what is pending', async () => {
    expect((await post(`/v1/test/deposits/${depositId}/expire`)).body.status).toBe('EXPIRED');
    expect((await post('/v1/test/balance/release')).body).toMatchObject({
      brl: { available_cents: 500, pending_cents: 0, total_cents: 500 },
    });
  });

  test.each([
    `/v1/test/deposits/${depositId}/expire`,
    `/v1/test/deposits/${depositId}/dispute`,
    `/v1/test/disputes/${newId('dispute')}/resolve`,
    '/v1/test/balance/release',
  ])('takes no live key at %s', async (path) => {
    const { status, body } = await post(path, { result: 'won' }, account.live);
    expect([status, body.error.code]).toEqual([403, 'TEST_ONLY']);
  });
});
