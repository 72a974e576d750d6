import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  getDeposit,
  getOperatorDeposit,
  listDeposits,
  listOperatorDeposits,
  showDeposits,
} from '@gateway/contracts/deposits';
import type { MerchantRole } from '@gateway/contracts/identity';
import { answering } from '@gateway/messaging';
import { isVersioned } from '@gateway/public-api';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { memberRoutes } from '#src/members/for-members.ts';
import { listing } from '../harness/listing.ts';
import { operatorDepositOf } from '../harness/records.ts';
import { browserOf, memberBrowserOf, ScriptedIdentity, stepUpOf } from '../harness/signing-in.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const document = '52998224725';
const payer = { name: 'Maria da Silva', document, email: 'maria@example.com', phone: '+5511999990000' };
const deposit = operatorDepositOf({ payer });
let identity: ScriptedIdentity;
let gateway: GatewayUnderTest;
let shop: string;
beforeAll(async () => {
  identity = new ScriptedIdentity();
  gateway = await startGateway([
    ...identity.routes(),
    answering(getDeposit, async () => ({ deposit })),
    answering(getOperatorDeposit, async () => ({ deposit, payments: [], transfers: [] })),
    answering(listOperatorDeposits, async () => ({ deposits: [deposit], nextCursor: null })),
    ...listing('deposit', { list: listDeposits, show: showDeposits }, async () => ({
      deposits: [deposit, deposit],
      nextCursor: null,
    })),
  ]);
  shop = (await gateway.newAccount({ rate_limit: { per_second: 100_000, burst: 100_000 } })).id;
});
afterAll(async () => gateway[Symbol.asyncDispose]());

type Headers = Readonly<Record<string, string>>;
const asking = (name: string, role: MerchantRole) => {
  const { token } = identity.signInMember(name, [{ accountId: shop, roles: [role], environments: ['test', 'live'] }]);
  const call = memberBrowserOf(gateway, token);
  const within = { 'x-account': shop, 'x-environment': 'live' };
  return async (path: string, headers: Headers = {}) => await call('GET', path, { headers: { ...within, ...headers } });
};
/** A person of the shop, whose call comes with the rows that are there when it is answered. */
const person = (name: string, role: MerchantRole) => {
  const ask = asking(name, role);
  return async (path: string, headers: Headers = {}) => {
    const requestId = newId('request');
    const answer = await ask(path, { ...headers, 'x-request-id': requestId });
    return { ...answer, requestId, rows: await rowsOf(requestId) };
  };
};
const rowsOf = async (requestId: string) =>
  await gateway.database.query(
    `select operator, action, target, account_id, filter, records from audit where kind = 'read' and request_id = $1`,
    [requestId],
  );
const path = `/v1/deposits/${deposit.id}`;
const why = { 'x-reveal': 'the payer calls' };
const search = `/v1/deposits?payer_document=${document}`;
const csv = { accept: 'text/csv' };
const confirming = ({ body }: { readonly body: { readonly error: { readonly step_up_id: string } } }) => ({
  'x-step-up': stepUpOf(body.error.step_up_id),
});

describe('of a merchant’s people', () => {
  test('who reveals a record leaves their name, the record, its members and the reason before the answer', async () => {
    const read = person('fabio', 'finance');
    const masked = await read(path);
    expect([masked.status, masked.text.includes(document), masked.rows]).toEqual([200, false, []]);
    const revealed = await read(path, why);
    for (const text of Object.values(payer)) expect(revealed.text).toContain(text);
    const fields = ['payer.document', 'payer.email', 'payer.name', 'payer.phone'];
    expect(revealed.rows).toEqual([
      {
        ...{ operator: 'merchant:fabio', action: 'deposit.read', target: deposit.id, account_id: shop, records: 1 },
        filter: { reveal: 'the payer calls', fields },
      },
    ]);
    const audit = await person('olga', 'owner')(`/team/audit?kind=read&target=${deposit.id}`);
    expect(audit.body.data).toMatchObject([
      { by: { kind: 'person', name: 'fabio' }, reason: 'the payer calls', fields, request_id: revealed.requestId },
    ]);
  });

  test('a record is not revealed without the permission, and a list to none', async () => {
    for (const role of ['viewer', 'developer'] as const) {
      const refused = await person(`no-${role}`, role)(path, why);
      expect([refused.status, refused.text.includes(document), refused.rows]).toEqual([403, false, []]);
    }
    const list = await person('fabio', 'finance')('/v1/deposits', why);
    expect([list.status, list.text.includes(document), list.rows]).toEqual([200, false, []]);
  });

  test('who searches by a document leaves the search and how much it found, though the answer is masked', async () => {
    const found = await person('vera', 'viewer')(search);
    expect([found.status, found.text.includes(document)]).toEqual([200, false]);
    expect(found.rows).toMatchObject([{ action: 'deposit.list', filter: { payer_document: document }, records: 2 }]);
    const others = await person('vera', 'viewer')('/v1/deposits?external_id=order-1');
    expect([others.status, others.rows]).toEqual([200, []]);
  });

  test('who takes a list as a file leaves a row, whose number follows', async () => {
    const fabio = person('fabio', 'finance');
    const asked = await fabio('/v1/deposits', csv);
    expect([asked.body.error.code, asked.rows]).toEqual(['STEP_UP_REQUIRED', []]);
    const { status, requestId } = await fabio('/v1/deposits', { ...csv, ...confirming(asked) });
    expect(status).toBe(200);
    await eventually(async () => {
      expect(await rowsOf(requestId)).toMatchObject([{ action: 'deposit.list', account_id: shop, records: 2 }]);
    });
    const refused = await person('vera', 'viewer')('/v1/deposits', csv);
    expect([refused.status, refused.rows]).toEqual([403, []]);
  });

  test('nothing of it is answered when the row cannot be written, and what is masked is', async () => {
    const ask = asking('fabio', 'finance');
    const file = { ...csv, ...confirming(await ask('/v1/deposits', csv)) };
    await gateway.database.query('alter table audit rename to audit_away');
    const answers = [await ask(path, why), await ask(search), await ask('/v1/deposits', file), await ask(path)];
    await gateway.database.query('alter table audit_away rename to audit');
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 200]);
    for (const { text } of answers.slice(0, 3)) expect(text).not.toContain(deposit.id);
  });
});

/** Members that say something about a person. */
const personal = /^(payer|payer_details|recipient|document|counterparty_\w+|pix_key|payout_key|request_body)$/;

test('every record with a member about a person can be revealed to people, and every file of them is recorded', () => {
  const reading = memberRoutes.filter(({ method, answers }) => {
    const schema = answers[200];
    if (method !== 'GET' || !schema) return false;
    const shown = isVersioned(schema) ? schema['1.0'] : schema;
    const json = JSON.stringify(z.toJSONSchema(shown, { unrepresentable: 'any', io: 'output' }));
    const names = [...json.matchAll(/"(\w+)":\{/g)].map(([, name = '']) => name);
    return names.some((name) => personal.test(name));
  });
  expect(reading.map(({ operation }) => operation)).toEqual(expect.arrayContaining(['getDeposit', 'listPayouts']));
  expect(reading.filter(({ reads }) => reads === undefined).map(({ operation }) => operation)).toEqual([]);
});

test('an operator who reveals a record leaves which members were shown', async () => {
  const { token } = identity.signIn('sueli', ['support']);
  const requestId = newId('request');
  const headers = { ...why, 'x-request-id': requestId };
  const answer = await browserOf(gateway, token)('GET', `/ops/deposits/${deposit.id}`, { headers });
  expect(answer.text).toContain(document);
  const [row] = await rowsOf(requestId);
  expect(row?.['filter']).toMatchObject({ reveal: 'the payer calls' });
  expect((row?.['filter'] as { fields: string[] }).fields).toContain('deposit.payer.document');
});

test('a service token is shown records masked and lists as no file, unless two gave it exports; it reveals nothing', async () => {
  const token = `opst_${'s'.repeat(43)}`;
  const scoped = (scopes: readonly ('records:read' | 'exports:create')[]) => {
    identity.serviceToken = { token, scopes: [...scopes] };
    return (asked: string, headers: Headers = {}) =>
      gateway.asOperator('GET', asked, { headers: { authorization: `Bearer ${token}`, ...headers } });
  };
  const reading = scoped(['records:read']);
  for (const asked of [`/ops/deposits/${deposit.id}`, '/ops/deposits']) {
    const shown = await reading(asked);
    expect([shown.status, shown.text.includes(document), shown.text.includes(payer.email)]).toEqual([
      200,
      false,
      false,
    ]);
  }
  const file = await reading('/ops/deposits', csv);
  expect([file.status, file.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
  const revealed = await reading(`/ops/deposits/${deposit.id}`, why);
  expect([revealed.status, revealed.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
  const exported = await scoped(['records:read', 'exports:create'])('/ops/deposits', csv);
  expect([exported.status, exported.text.includes(document)]).toEqual([200, true]);
});
