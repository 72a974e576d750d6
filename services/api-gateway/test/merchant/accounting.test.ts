import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getDepositRecords, listDeposits, showDeposits } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import {
  getBalance,
  getLedgerRecords,
  getPending,
  listEntries,
  showEntries,
  type LedgerEntry,
} from '@gateway/contracts/ledger';
import type { RequestOf } from '@gateway/contracts/messages';
import { getPayoutRecords } from '@gateway/contracts/payouts';
import { answering } from '@gateway/messaging';
import { idSequence, newId } from '@gateway/money';
import { AdjustmentEntity } from '#src/proposals/adjustment.ts';
import { listing } from '../harness/listing.ts';
import { depositOf, payoutRequest } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const [depositId, payoutId, refundId, disputeId, conversionId, adjustmentId] = [
  newId('deposit'),
  newId('payout'),
  newId('refund'),
  newId('dispute'),
  newId('conversion'),
  newId('adjustment'),
] as const;
const head =
  'booked_at,local_date,entry_id,type,record_type,record_id,external_id,e2e_id,counterparty_name,' +
  'counterparty_document,currency,gross,fee,net,balance_after';

let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;
let entries: LedgerEntry[] = [];
let away = false;
const asked: { entries: RequestOf<typeof listEntries>[]; records: RequestOf<typeof getDepositRecords>[] } = {
  entries: [],
  records: [],
};
let askedBalance: RequestOf<typeof getBalance> | undefined;
let askedPending: RequestOf<typeof getPending> | undefined;
let askedDeposits: RequestOf<typeof listDeposits> | undefined;

const payer = { name: '=HYPERLINK("x"), Maria', document: '***.982.247-**' };

beforeAll(async () => {
  gateway = await startGateway([
    ...listing('entry', { list: listEntries, show: showEntries }, async (request) => {
      asked.entries.push(request);
      return { entries, nextCursor: null };
    }),
    answering(getDepositRecords, async (request) => {
      asked.records.push(request);
      if (away) throw new DomainError('SERVICE_UNAVAILABLE', 'deposits is away');
      const record = { externalId: 'order-1001', e2eId: 'E1', counterparty: payer };
      return { records: request.ids.map((id) => ({ ...record, id })) };
    }),
    answering(getPayoutRecords, async ({ ids }) => ({
      records: ids.map((id) => ({
        id,
        externalId: 'saque-77',
        e2eId: 'E2',
        counterparty: { name: 'João', document: '52998224725' },
      })),
    })),
    answering(getLedgerRecords, async () => ({
      records: [{ id: conversionId, externalId: 'conversion-1', e2eId: null, counterparty: null }],
      credits: [{ depositId, amount: 10_000, fee: 150 }],
    })),
    answering(getBalance, async (request) => {
      askedBalance = request;
      return { balances: [{ currency: 'MXN' as const, available: 7, pending: null, blocked: null }] };
    }),
    answering(getPending, async (request) => {
      askedPending = request;
      return { releases: [{ releaseOn: '2026-11-24', currency: 'BRL' as const, amount: 9_850, deposits: 2 }] };
    }),
    ...listing('deposit', { list: listDeposits, show: showDeposits }, async (request) => {
      askedDeposits = request;
      const { account: of, ...rest } = payoutRequest(account);
      const request1 = { ...rest, account: of, paymentMethod: 'PIX' as const, expiresInSec: 60, callbackUrl: null };
      const named = { name: '+Maria', email: null, phone: null, document: null };
      return { deposits: [depositOf({ ...request1, payer: named, metadata: { cart: '7' } })], nextCursor: null };
    }),
  ]);
  account = await gateway.newAccount();
  const next = idSequence('ledgerEntry');
  // 2026-11-21 02:59:59.999 UTC is the evening of the 20th in São Paulo.
  const startMs = Date.parse('2026-11-21T02:59:59.999Z');
  let balanceAfter = 100_000;
  const entry = (type: LedgerEntry['type'], refType: LedgerEntry['refType'], refId: string, amount: number) => {
    balanceAfter += amount;
    const place = {
      environment: 'test',
      accountId: account.id,
      currency: 'BRL',
      createdAt: Math.floor(startMs / 1_000),
    } as const;
    return { ...place, id: next(startMs), type, amount, refType, refId, balanceAfter };
  };
  entries = [
    entry('DEPOSIT_NET', 'deposit', depositId, 9_850),
    entry('PAYOUT', 'payout', payoutId, -5_000),
    entry('PAYOUT_FEE', 'payout', payoutId, -100),
    entry('DEPOSIT_REFUND', 'refund', refundId, -2_500),
    entry('MED_BLOCK', 'dispute', disputeId, -3_000),
    entry('CONVERSION', 'conversion', conversionId, -1),
    entry('ADJUSTMENT', 'adjustment', adjustmentId, 5),
  ];
  const em = gateway.database.reader();
  const adjustment = {
    accountId: account.id,
    environment: 'test',
    currency: 'BRL',
    amount: 5,
    reason: 'a gift',
  } as const;
  const now = new Date();
  const two = { proposedBy: 'ana', approvedBy: 'bruno', approvedAt: now, createdAt: now, decidedAt: now };
  const decided = { ...two, status: 'APPLIED', externalId: 'gift-1' } as const;
  await em.insert(AdjustmentEntity, { id: adjustmentId, ...adjustment, ...decided });
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  asked.entries.length = 0;
  asked.records.length = 0;
  away = false;
});

const read = (path: string, accept?: string) =>
  gateway.asMerchant(account.test, 'GET', path, { headers: accept === undefined ? {} : { accept } });

describe('the accounting statement', () => {
  test('has record, counterparty, gross, fee and net of each entry, as decimal amounts and in local time', async () => {
    const { text, headers } = await read('/v1/transactions?format=accounting&order=asc');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="statement.csv"');
    const [first, ...rows] = text.trimEnd().split('\n');
    expect(first).toBe(head);
    const [ids, at] = [entries.map(({ id }) => id), '2026-11-20T23:59:59.999-03:00,2026-11-20'];
    const maria = `"'=HYPERLINK(""x""), Maria",***.982.247-**`;
    expect(rows).toEqual([
      `${at},${ids[0]},DEPOSIT_NET,deposit,${depositId},order-1001,E1,${maria},BRL,100.00,1.50,98.50,1098.50`,
      `${at},${ids[1]},PAYOUT,payout,${payoutId},saque-77,E2,João,52998224725,BRL,-50.00,0.00,-50.00,1048.50`,
      `${at},${ids[2]},PAYOUT_FEE,payout,${payoutId},saque-77,E2,João,52998224725,BRL,0.00,1.00,-1.00,1047.50`,
      `${at},${ids[3]},DEPOSIT_REFUND,refund,${refundId},order-1001,E1,${maria},BRL,-25.00,0.00,-25.00,1022.50`,
      `${at},${ids[4]},MED_BLOCK,dispute,${disputeId},order-1001,E1,${maria},BRL,-30.00,0.00,-30.00,992.50`,
      `${at},${ids[5]},CONVERSION,conversion,${conversionId},conversion-1,,,,BRL,-0.01,0.00,-0.01,992.49`,
      `${at},${ids[6]},ADJUSTMENT,adjustment,${adjustmentId},gift-1,,,,BRL,0.05,0.00,0.05,992.54`,
    ]);
    expect(asked.entries).toMatchObject([{ order: 'asc', limit: 200 }]);
    expect(asked.records.map(({ ids: each }) => each)).toEqual([[depositId, refundId, disputeId]]);
  });

  test('gives texts as they are to a program, and times of the zone it names', async () => {
    const { text } = await read('/v1/transactions?format=accounting&raw=true&zone=UTC');
    expect(text).toContain('2026-11-21T02:59:59.999+00:00,2026-11-21,');
    expect(text).toContain(',"=HYPERLINK(""x""), Maria",');
  });

  test('is a page of JSON where the caller takes JSON', async () => {
    const { body } = await read('/v1/transactions?format=accounting&limit=2', 'application/json');
    expect(body.data[0]).toMatchObject({ gross: '100.00', fee: '1.50', net: '98.50', e2e_id: 'E1' });
    expect([body.next_cursor, asked.entries[0]?.limit]).toEqual([null, 2]);
  });

  test('is 503 while an owner of its records does not answer, never a statement without them', async () => {
    away = true;
    const answer = await read('/v1/transactions?format=accounting');
    expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await read('/v1/transactions')).status).toBe(200);
  });

  test('leaves gross and fee empty where it is not known what was credited', async () => {
    const [deposit] = entries;
    const whole = entries;
    entries = [{ ...deposit!, amount: 9_000 }];
    expect((await read('/v1/transactions?format=accounting')).text.split('\n')[1]).toMatch(/,BRL,,,90\.00,1098\.50$/);
    entries = whole;
  });
});

describe('a list', () => {
  test('is CSV by format or by Accept, its texts safe in a spreadsheet', async () => {
    for (const answer of [await read('/v1/deposits?format=csv'), await read('/v1/deposits', 'text/csv')]) {
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="deposits.csv"');
      const [columns, row] = answer.text.split('\n');
      expect(columns).toMatch(/^id,external_id,status,amount_cents,/);
      expect(row).toContain(`,'+Maria,`);
      expect(row).toContain('"{""cart"":""7""}"');
    }
    expect((await read('/v1/deposits?format=json', 'text/csv')).body.data).toHaveLength(1);
  });

  test('is asked for by dates of a zone and in an order', async () => {
    await read('/v1/deposits?from=2026-11-20&to=2026-11-20&zone=America/Mexico_City&order=asc&status=PAID');
    const [from, to] = ['2026-11-20T06:00:00Z', '2026-11-21T06:00:00Z'].map((text) => Date.parse(text) / 1_000);
    expect(askedDeposits).toMatchObject({ from, to, order: 'asc', status: 'PAID' });
    expect(askedDeposits).not.toHaveProperty('zone');
  });

  test.each([
    ['from=yesterday', 'from'],
    ['to=2026-02-30', 'to'],
    ['zone=Mars/Olympus', 'zone'],
    ['order=up', 'order'],
    ['format=xml', 'format'],
    ['raw=yes', 'raw'],
  ])('refuses %s by name', async (query, path) => {
    for (const list of ['deposits', 'payouts', 'refunds', 'disputes', 'conversions', 'transactions']) {
      const answer = await read(`/v1/${list}?${query}`);
      expect([list, answer.status, answer.body.error.details[0]?.path]).toEqual([list, 400, path]);
    }
  });
});

test('a balance at a date is that at the end of the day, and says what is not known', async () => {
  const { body } = await gateway.asMerchant(account.test, 'GET', '/v1/balance?at=2026-11-20', {
    headers: { 'x-api-version': '1.0' },
  });
  expect(askedBalance?.at).toBe(Date.parse('2026-11-21T02:59:59Z') / 1_000);
  expect(body).toEqual({ mxn: { available: 7, pending: null, blocked: null, total: null } });
  const notKnown = { available_cents: 0, pending_cents: null, blocked_cents: null, total_cents: null };
  const before = await gateway.asMerchant(account.test, 'GET', '/v1/balance?at=2026-11-20');
  expect(before.body).toEqual({ brl: notKnown, usdt: notKnown });
});

test('what is pending is shown by the day it becomes available', async () => {
  const { body } = await read('/v1/balance/pending?zone=UTC&currency=BRL');
  expect(askedPending).toEqual({ environment: 'test', accountId: account.id, zone: 'UTC', currency: 'BRL' });
  expect(body.data).toEqual([{ release_on: '2026-11-24', currency: 'BRL', amount_cents: 9_850, deposits: 2 }]);
});

describe('operators', () => {
  const operate = (path: string) => gateway.asOperator('GET', `/ops/accounts/${account.id}/${path}`);

  test('read the balance, the statement and what is pending of an account in the environment they name', async () => {
    expect((await operate('balance?environment=live&at=1767340000')).body).toMatchObject({ mxn: { available: 7 } });
    expect(askedBalance).toEqual({ environment: 'live', accountId: account.id, at: 1_767_340_000 });
    expect((await operate('transactions?environment=live')).body.data).toHaveLength(entries.length);
    expect(asked.entries).toMatchObject([{ environment: 'live', accountId: account.id }]);
    expect((await operate('transactions?environment=test&format=accounting')).text.split('\n')[0]).toBe(head);
    expect((await operate('transactions?environment=test&format=csv')).text).toMatch(/^id,type,amount,currency,/);
    expect((await operate('pending?environment=live')).body.data).toHaveLength(1);
    expect(askedPending).toMatchObject({ environment: 'live', zone: 'America/Sao_Paulo' });
  });

  test('have to name the environment, and an account that exists', async () => {
    for (const what of ['balance', 'transactions', 'pending']) {
      const refused = await operate(what);
      expect([what, refused.status, refused.body.error.details[0]?.path]).toEqual([what, 400, 'environment']);
      const unknown = await gateway.asOperator('GET', `/ops/accounts/${newId('account')}/${what}?environment=test`);
      expect([what, unknown.status]).toEqual([what, 404]);
    }
  });
});
