import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  getOperatorDeposit,
  listOperatorDeposits,
  listOperatorDisputes,
  listOperatorRefunds,
  listOrphanReceipts,
} from '@gateway/contracts/deposits';
import { listOperatorConversions } from '@gateway/contracts/conversions';
import { NotFoundError } from '@gateway/contracts/errors';
import { listOperatorPayouts } from '@gateway/contracts/payouts';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { operatorRoutes } from '#src/operator/routes.ts';
import { operatorDepositOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const deposits = Array.from({ length: 3 }, () => operatorDepositOf({ externalId: '=1+1;=2' }));
const [deposit] = deposits;

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway([
    answering(listOperatorDeposits, async ({ cursor, limit }) => {
      // Two pages, however many records are asked for at once.
      const page = cursor === undefined ? deposits.slice(0, 2) : deposits.slice(2);
      return { deposits: page.slice(0, limit), nextCursor: cursor === undefined ? deposits[1]!.id : null };
    }),
    answering(getOperatorDeposit, async ({ id }) => {
      if (id !== deposit!.id) throw new NotFoundError('deposit');
      return { deposit: deposit!, payments: [], transfers: [] };
    }),
    answering(listOperatorPayouts, async () => ({ payouts: [], nextCursor: null })),
    answering(listOperatorRefunds, async () => ({ refunds: [], nextCursor: null })),
    answering(listOperatorDisputes, async () => ({ disputes: [], nextCursor: null })),
    answering(listOrphanReceipts, async () => ({ receipts: [], nextCursor: null })),
    answering(listOperatorConversions, async () => ({ conversions: [], nextCursor: null })),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

/** A call, and the rows that it has left in the audit trail. */
async function traced(path: string, accept = 'application/json') {
  const requestId = newId('request');
  const answer = await gateway.asOperator('GET', path, { headers: { 'x-request-id': requestId, accept } });
  const rows = async () => (await gateway.asOperator('GET', `/ops/audit?request_id=${requestId}`)).body.data;
  return { answer, rows };
}

describe('an operator who reads personal data leaves one row', () => {
  test('of one record, with its account', async () => {
    const { answer, rows } = await traced(`/ops/deposits/${deposit!.id}`);
    expect(answer.status).toBe(200);
    const read = { kind: 'read', operator: 'ana', action: 'deposit.read', target: deposit!.id, records: 1 };
    expect(await rows()).toMatchObject([
      { ...read, account_id: deposit!.accountId, filter: null, before: null, after: null },
    ]);
  });

  test('of a list, with its filter and the number of records', async () => {
    const account = newId('account');
    const { rows } = await traced(`/ops/deposits?account_id=${account}&payer_document=529.982.247-25&limit=2`);
    const filter = { account_id: account, payer_document: '52998224725', limit: 2 };
    expect(await rows()).toMatchObject([{ action: 'deposit.list', account_id: account, filter, records: 2 }]);
  });

  test('of a list in CSV, whose number follows when it is written', async () => {
    const { answer, rows } = await traced('/ops/deposits?format=csv');
    expect(answer.text.trim().split('\n')).toHaveLength(1 + deposits.length);
    await eventually(async () => {
      expect(await rows()).toMatchObject([{ action: 'deposit.list', records: deposits.length }]);
    });
  });

  test('of a list of which pages leave none, when it is saved as a file', async () => {
    for (const path of ['/ops/refunds?format=csv', '/ops/refunds']) {
      const { rows } = await traced(path, 'text/csv');
      await eventually(async () => {
        expect(await rows()).toMatchObject([{ kind: 'read', action: 'list.file', target: 'listRefunds', records: 0 }]);
      });
    }
  });

  test('of a search by a document, also when nothing is found', async () => {
    const { rows } = await traced('/ops/search?q=529.982.247-25&environment=live');
    const filter = { q: '529.982.247-25', environment: 'live' };
    expect(await rows()).toMatchObject([{ action: 'search', filter, account_id: null }]);
  });

  test('of the audit trail itself, which shows its changes without them', async () => {
    const account = await gateway.newAccount();
    const { answer, rows } = await traced(`/ops/audit?account_id=${account.id}`);
    expect(answer.body.data).toMatchObject([
      { kind: 'change' },
      { kind: 'change' },
      { kind: 'change' },
      { kind: 'change' },
      { action: 'account.create' },
    ]);
    expect(await rows()).toMatchObject([{ kind: 'read', action: 'audit.list', account_id: account.id, records: 5 }]);
  });
});

test('a record that is not found, a list that is refused and one without personal data leave no row', async () => {
  for (const path of [
    `/ops/deposits/${newId('deposit')}`,
    '/ops/deposits?surprise=1',
    '/ops/refunds',
    '/ops/conversions',
  ]) {
    const { rows } = await traced(path);
    expect(await rows(), path).toEqual([]);
  }
});

test('personal data is not answered when its row cannot be written', async () => {
  await gateway.database.query('alter table audit rename to audit_away');
  const answers = [];
  for (const path of [`/ops/deposits/${deposit!.id}`, '/ops/deposits', '/ops/deposits?format=csv', '/ops/refunds']) {
    answers.push(await gateway.asOperator('GET', path));
  }
  await gateway.database.query('alter table audit_away rename to audit');
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 200]);
  for (const { text, headers } of answers.slice(0, 3)) {
    expect(text).not.toContain(deposit!.id);
    expect(headers.get('retry-after')).toBe('1');
  }
});

test('the audit trail is found by kind, account, request and time, and each filter holds', async () => {
  const requestId = newId('request');
  const headers = { 'x-request-id': requestId };
  const made = await gateway.asOperator('POST', '/ops/accounts', { body: { name: 'Loja' }, headers });
  const of = async (query: string) => {
    const { body } = await gateway.asOperator('GET', `/ops/audit?${query}`);
    return (body.data as unknown as { kind: string; action: string }[]).map(({ kind, action }) => `${kind} ${action}`);
  };
  await gateway.asOperator('GET', `/ops/accounts/${made.body.id}`, { headers });
  expect(await of(`request_id=${requestId}`)).toEqual(['read account.read', 'change account.create']);
  expect(await of(`request_id=${requestId}&kind=change`)).toEqual(['change account.create']);
  expect(await of(`account_id=${made.body.id}&kind=read&action=account.read`)).toEqual(['read account.read']);
  expect(await of(`account_id=${made.body.id}&to=${made.body.created_at - 60}`)).toEqual([]);
  expect(await of(`account_id=${made.body.id}&from=${made.body.created_at - 60}`)).toEqual(['change account.create']);
  expect(await of(`account_id=${made.body.id}&from=${made.body.created_at + 60}`)).toEqual([]);
  expect((await gateway.asOperator('GET', '/ops/audit?kind=look')).status).toBe(400);
});

/** Members that say something about a person. */
const personal =
  /^(payer|payer_details|recipient|document|counterparty_\w+|pix_key|request_body|payload|raw|before|after)$/;

/** Whether a schema has such a member anywhere; an answer that is a file of text, not described by one, has no members. */
function holdsPersonalData(schema: unknown): boolean {
  if (schema === null) return false;
  const json = JSON.stringify(z.toJSONSchema(schema as z.ZodType, { unrepresentable: 'any', io: 'output' }));
  const names = [...json.matchAll(/"(\w+)":\{/g)].map(([, name = '']) => name);
  return names.some((name) => personal.test(name));
}

test('every operation of operators that reads a member about a person is recorded as a read', () => {
  const reading = operatorRoutes.filter(({ method, answers }) => method === 'GET' && holdsPersonalData(answers[200]));
  expect(reading.map(({ path }) => path)).toEqual(expect.arrayContaining(['/ops/payouts', '/ops/deposits/:id']));
  expect(reading.filter(({ reads }) => reads === undefined).map(({ path }) => path)).toEqual([]);
});

test('every list of operators that has pages is served as CSV too', () => {
  const has = (schema: unknown, member: string) =>
    member in ((schema as { readonly shape?: object } | undefined)?.shape ?? {});
  const lists = operatorRoutes.filter(({ query, answers }) => has(query, 'cursor') && has(answers[200], 'next_cursor'));
  expect(lists.length).toBeGreaterThan(15);
  expect(lists.filter(({ otherMedia }) => !otherMedia?.['text/csv']).map(({ path }) => path)).toEqual([]);
});

test('a list of operators in CSV has a column for each member, and no formula', async () => {
  const byQuery = await gateway.asOperator('GET', '/ops/deposits?format=csv');
  const byHeader = await gateway.asOperator('GET', '/ops/deposits', { headers: { accept: 'text/csv' } });
  expect(byHeader.text).toBe(byQuery.text);
  expect(byQuery.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [head = '', first = ''] = byQuery.text.split('\n');
  expect(head.split(',')).toEqual(
    expect.arrayContaining(['id', 'account_id', 'external_id', 'amount_cents', 'provider']),
  );
  expect(first).toContain(`${deposit!.id},`);
  expect(first).toContain(`"'=1+1;'=2"`);
  const raw = await gateway.asOperator('GET', '/ops/deposits?format=csv&raw=true');
  expect(raw.text).toContain('"=1+1;=2"');
});
