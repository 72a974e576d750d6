import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getOperatorDeposit, listOperatorDeposits, type ReceivedPayment } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { listOperatorPayouts } from '@gateway/contracts/payouts';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { operatorDepositOf, operatorPayoutOf } from '../harness/records.ts';
import { startGateway, type Answered, type GatewayUnderTest } from '../harness/start-gateway.ts';

const asked: unknown[] = [];
const deposit = operatorDepositOf({});
const payout = operatorPayoutOf({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736' });
const payment: ReceivedPayment = {
  e2eId: 'E12345678202601051004abcdef12345',
  provider: 'efi',
  state: 'CREDITED',
  currency: 'BRL',
  amount: 1_990,
  payerDetails: { name: 'Maria', document: '***.982.247-**', bank: null, ispb: '12345678' },
  refusal: null,
  paidAt: '2026-01-05T10:04:00.000Z',
};

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway([
    answering(listOperatorDeposits, async (request) => {
      asked.push(request);
      return { deposits: [deposit], nextCursor: deposit.id };
    }),
    answering(getOperatorDeposit, async ({ id }) => {
      if (id !== deposit.id) throw new NotFoundError('deposit');
      return { deposit, payments: [payment], transfers: [] };
    }),
    answering(listOperatorPayouts, async (request) => {
      asked.push(request);
      return { payouts: [payout], nextCursor: null };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const complaintsOf = ({ body }: Answered) => body.error.details.map(({ path }) => path);
const accountId = newId('account');
const common = `account_id=${accountId}&environment=live&currency=BRL&provider=efi&external_id=order-1&e2e_id=E1&from=1767000000&to=1767000060&min_amount=1&max_amount=5000`;
const filter = {
  ...{ accountId, environment: 'live', currency: 'BRL', provider: 'efi', externalId: 'order-1', e2eId: 'E1' },
  ...{ from: 1_767_000_000, to: 1_767_000_060, minAmount: 1, maxAmount: 5_000 },
};

describe('an operator finds', () => {
  test('deposits by every filter, each handed on to their owner', async () => {
    const path = `/ops/deposits?${common}&status=PAID&payer_document=529.982.247-25&limit=7&cursor=${deposit.id}`;
    const page = await gateway.asOperator('GET', path);
    expect(asked.at(-1)).toEqual({
      ...filter,
      ...{ status: 'PAID', payerDocument: '52998224725', limit: 7, cursor: deposit.id },
    });
    expect([page.status, page.body]).toMatchObject([
      200,
      {
        data: [
          {
            ...{ id: deposit.id, object: 'deposit', account_id: deposit.accountId, environment: 'live' },
            ...{ currency: 'BRL', provider: 'efi', reference: deposit.reference, provider_ref: null },
          },
        ],
        next_cursor: deposit.id,
      },
    ]);
  });

  test('payouts by every filter, each handed on to their owner', async () => {
    const own =
      'status=PAID&kind=SETTLEMENT&recipient_document=529.982.247-25&pix_key=ana%40example.com&attention=true';
    const page = await gateway.asOperator('GET', `/ops/payouts?${common}&${own}`);
    expect(asked.at(-1)).toEqual({
      ...filter,
      ...{ status: 'PAID', kind: 'SETTLEMENT', recipientDocument: '52998224725', key: 'ana@example.com' },
      ...{ attention: true, limit: 50 },
    });
    expect(page.body.data).toMatchObject([{ id: payout.id, trace_id: payout.traceId, environment: 'test' }]);
  });

  test.each(['deposits', 'payouts'])(
    'no %s by a filter that is wrong or that does not exist, naming it',
    async (noun) => {
      for (const [query, path] of [
        ['account_id=acc_1', 'account_id'],
        ['environment=prod', 'environment'],
        ['currency=XXX', 'currency'],
        ['from=yesterday', 'from'],
        ['min_amount=-1', 'min_amount'],
        ['max_amount=1.5', 'max_amount'],
        ['external_id=', 'external_id'],
        ['status=LOST', 'status'],
        ['id=1', 'id'],
      ] as const) {
        const answer = await gateway.asOperator('GET', `/ops/${noun}?${query}`);
        expect([answer.status, complaintsOf(answer)]).toEqual([400, [path]]);
      }
    },
  );
});

describe('an operator reads', () => {
  test('a deposit of any account with what arrived for it, and 404 for one that does not exist', async () => {
    const found = await gateway.asOperator('GET', `/ops/deposits/${deposit.id}`);
    expect([found.status, found.body]).toMatchObject([
      200,
      { deposit: { id: deposit.id, payments: [{ e2e_id: deposit.e2eId, state: 'CREDITED' }], transfers: [] } },
    ]);
    expect((await gateway.asOperator('GET', `/ops/deposits/${newId('deposit')}`)).status).toBe(404);
    expect((await gateway.asOperator('GET', '/ops/deposits/nonsense')).status).toBe(404);
  });

  test('nothing with the key of a merchant, nor without a token', async () => {
    const { test: key } = await gateway.newAccount();
    const headers = { 'x-api-key': key.public_key, 'x-api-secret': key.secret_key, authorization: '' };
    for (const path of [`/ops/deposits/${deposit.id}`, '/ops/deposits', '/ops/payouts']) {
      expect((await gateway.asOperator('GET', path, { headers })).status).toBe(401);
      expect((await gateway.asMerchant(key, 'GET', path)).status).toBe(404);
    }
  });
});
