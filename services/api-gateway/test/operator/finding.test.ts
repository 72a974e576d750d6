import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getOperatorConversion, listOperatorConversions } from '@gateway/contracts/conversions';
import {
  getOperatorDeposit,
  getOperatorDispute,
  getReturn,
  listOperatorDeposits,
  listOperatorDisputes,
  listOperatorRefunds,
  listOrphanReceipts,
  lookUpDeposit,
  lookUpReturn,
} from '@gateway/contracts/deposits';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { getOperatorPayout, listOperatorPayouts, lookUpPayout } from '@gateway/contracts/payouts';
import { findWebhookRecord } from '@gateway/contracts/webhooks';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import {
  completedConversion as conversion,
  creditedPayment as payment,
  operatorDepositOf,
  operatorPayoutOf,
  webhookOf,
} from '../harness/records.ts';
import { operatorRefundOf } from '../harness/returned-money.ts';
import { startGateway, type Answered, type GatewayUnderTest } from '../harness/start-gateway.ts';

const asked: unknown[] = [];
const deposit = operatorDepositOf({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736' });
const refund = operatorRefundOf({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736' });
const webhook = webhookOf({
  environment: 'test',
  accountId: newId('account'),
  name: 'shop',
  url: 'https://shop.example/hooks',
  events: [],
  apiVersion: '0.1',
});
const payout = operatorPayoutOf({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736' });

/** Whether the payouts service answers. */
let payoutsAnswer = true;
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
    answering(lookUpReturn, async ({ id, kind }) => {
      if (id !== refund.id || kind !== 'refund') throw new NotFoundError('refund');
      return { kind, before: { ...refund, status: 'PROCESSING' as const }, after: refund };
    }),
    answering(lookUpDeposit, async () => ({ before: { ...deposit, status: 'PENDING' as const }, deposit })),
    answering(lookUpPayout, async () => ({ before: payout, payout: { ...payout, status: 'PAID' as const } })),
    answering(getOperatorPayout, async ({ id }) => {
      if (id !== payout.id) throw new NotFoundError('payout');
      return { payout };
    }),
    answering(listOperatorRefunds, async (request) => {
      asked.push(request);
      return { refunds: [], nextCursor: null };
    }),
    answering(listOperatorDisputes, async (request) => {
      asked.push(request);
      return { disputes: [], nextCursor: null };
    }),
    answering(listOrphanReceipts, async (request) => {
      asked.push(request);
      return { receipts: [], nextCursor: null };
    }),
    answering(getReturn, async () => {
      throw new NotFoundError('refund');
    }),
    answering(getOperatorDispute, async () => {
      throw new NotFoundError('dispute');
    }),
    answering(listOperatorConversions, async (request) => {
      asked.push(request);
      return { conversions: [conversion], nextCursor: null };
    }),
    answering(getOperatorConversion, async ({ id }) => {
      if (id !== conversion.id) throw new NotFoundError('conversion');
      return { conversion };
    }),
    answering(findWebhookRecord, async ({ id }) => ({ webhook: id === webhook.id ? webhook : null, delivery: null })),
    answering(listOperatorPayouts, async (request) => {
      asked.push(request);
      if (!payoutsAnswer) throw new DomainError('SERVICE_UNAVAILABLE', 'the database is away');
      return { payouts: [payout], nextCursor: null };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const complaintsOf = ({ body }: Answered) => body.error.details.map(({ path }) => path);
const accountId = newId('account');
const common = `account_id=${accountId}&environment=live&currency=BRL&provider=efi&external_id=order-1&e2e_id=E1&from=2025-12-28T23:20:00-10:00&to=2025-12-29T09:21:00Z&min_amount=1&max_amount=5000`;
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

describe('an operator finds also', () => {
  const without = (...names: string[]) =>
    [
      common
        .split('&')
        .filter((each) => !names.some((name) => each.startsWith(`${name}=`)))
        .join('&'),
      names,
    ] as const;

  test.each([
    ['refunds', `${common}&status=DONE&attention=false`, { ...filter, status: 'DONE', attention: false }],
    [
      'disputes',
      `${common}&status=OPEN&due_before=1767000000`,
      { ...filter, status: 'OPEN', dueBefore: 1_767_000_000 },
    ],
    ['orphan-receipts', `${common}&state=FAILED`, { externalId: 'order-1', e2eId: 'E1', state: 'FAILED' }],
    ['orphan-receipts', 'status=RETURNED', { state: 'RETURNED' }],
    ['conversions', `${without('provider', 'e2e_id')[0]}&status=COMPLETED`, { externalId: 'order-1' }],
  ])('%s by every filter, each handed on to their owner', async (noun, query, request) => {
    expect((await gateway.asOperator('GET', `/ops/${noun}?${query}`)).status).toBe(200);
    expect(asked.at(-1)).toMatchObject({ ...request, limit: 50 });
    const wrong = await gateway.asOperator('GET', `/ops/${noun}?min_amount=x&surprise=1`);
    expect([wrong.status, complaintsOf(wrong).toSorted()]).toEqual([400, ['min_amount', 'surprise']]);
  });

  test.each(['conversions?provider=efi', 'conversions?e2e_id=x'])(
    'nothing by a filter whose member the records have not: %s',
    async (path) => {
      const { status, body } = await gateway.asOperator('GET', `/ops/${path}`);
      expect([status, body]).toEqual([200, { data: [], next_cursor: null }]);
    },
  );

  test('one record by its id, and 404 for one that does not exist', async () => {
    const found = await gateway.asOperator('GET', `/ops/conversions/${conversion.id}`);
    const { conversion: named, ...direct } = found.body as unknown as { conversion: object; id: string };
    expect(direct).toMatchObject({ id: conversion.id, object: 'conversion', account_id: conversion.accountId });
    expect(named).toEqual(direct);
    for (const path of [
      `conversions/${newId('conversion')}`,
      `refunds/${newId('refund')}`,
      `orphan-receipts/${newId('refund')}`,
      `disputes/${newId('dispute')}`,
      'disputes/nonsense',
    ]) {
      expect((await gateway.asOperator('GET', `/ops/${path}`)).status, path).toBe(404);
    }
  });
});

describe('a search', () => {
  const found = async (q: string, more = '') =>
    (await gateway.asOperator('GET', `/ops/search?q=${encodeURIComponent(q)}${more}`)).body as unknown as {
      data: { kind: string; id: string; matched: string; account_name: string | null }[];
      incomplete: string[];
    };

  test.each([
    ['its id', deposit.id, { kind: 'deposit', id: deposit.id, matched: 'id' }],
    ['its reference at the provider', deposit.id.slice(4), { kind: 'deposit', id: deposit.id, matched: 'reference' }],
    ['the id of a payout', payout.id, { kind: 'payout', id: payout.id, matched: 'id' }],
    ['the id of a webhook', webhook.id, { kind: 'webhook', id: webhook.id, account_id: webhook.accountId }],
    [
      'the id of a conversion',
      conversion.id,
      { kind: 'conversion', id: conversion.id, amount: 54_123, amount_cents: 54_123 },
    ],
  ])('finds a record by %s', async (_what, q, hit) => {
    const { data, incomplete } = await found(q);
    expect([data[0], incomplete]).toMatchObject([hit, []]);
  });

  test.each([
    ['an end-to-end id', 'E12345678202601051004abcdef12345', { e2eId: 'E12345678202601051004abcdef12345' }],
    ['a document', '529.982.247-25', { payerDocument: '52998224725' }],
    ['a document of a recipient', '529.982.247-25', { recipientDocument: '52998224725' }],
    ['a key', 'ana@example.com', { key: 'ana@example.com' }],
    ['an external_id', 'order 1', { externalId: 'order 1' }],
  ])('asks for %s', async (_what, q, request) => {
    asked.length = 0;
    await found(q, '&environment=live');
    expect(asked).toContainEqual({ ...request, environment: 'live', limit: 20 });
  });

  test('finds an account by its id, its document and a part of its name, and names the account of every record', async () => {
    const account = await gateway.asOperator('POST', '/ops/accounts', {
      body: { name: 'Padaria do Bairro 100%', document: '11.222.333/0001-81' },
    });
    for (const q of [account.body.id, '11222333000181', 'do bairro 100%']) {
      const { data } = await found(q);
      expect(data.filter(({ kind }) => kind === 'account')).toMatchObject([
        { id: account.body.id, account_name: 'Padaria do Bairro 100%' },
      ]);
    }
  });

  test('of one environment shows no record of the other', async () => {
    const { data } = await found('order 1', '&environment=live');
    expect(data.map(({ kind }) => kind)).toEqual(['deposit', 'conversion']);
  });

  test('shows what the others have found when one service does not answer, and names that one', async () => {
    payoutsAnswer = false;
    const { data, incomplete } = await found('order 1');
    payoutsAnswer = true;
    expect([data.map(({ kind }) => kind), incomplete]).toEqual([['deposit', 'conversion'], ['payouts']]);
  });

  test.each(['', `?q=`, `?q=${'x'.repeat(121)}`, '?q=x&environment=moon', '?q=x&kind=deposit'])(
    'is refused: %s',
    async (query) => {
      expect((await gateway.asOperator('GET', `/ops/search${query}`)).status).toBe(400);
    },
  );
});

describe('a look-up', () => {
  test.each([
    ['deposits', deposit.id, 'deposit'],
    ['payouts', payout.id, 'payout'],
    ['refunds', refund.id, 'refund'],
  ])('of %s answers with before and after, and is in the audit', async (noun, id, member) => {
    const after = noun === 'refunds' ? 'DONE' : 'PAID';
    const answer = await gateway.asOperator('POST', `/ops/${noun}/${id}/look-up`);
    expect([answer.status, answer.body]).toMatchObject([200, { before: { id }, [member]: { id, status: after } }]);
    const audit = await gateway.asOperator('GET', `/ops/audit?action=${member}.look-up&target=${id}`);
    expect(audit.body.data[0]).toMatchObject({ operator: 'ana', target: id, after: { status: after } });
    expect((await gateway.asOperator('POST', `/ops/${noun}/nonsense/look-up`)).status).toBe(404);
  });
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
