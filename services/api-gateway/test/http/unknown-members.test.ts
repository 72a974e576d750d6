import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeposit } from '@gateway/contracts/deposits';
import type { RequestOf } from '@gateway/contracts/messages';
import { createPayout } from '@gateway/contracts/payouts';
import { answering } from '@gateway/messaging';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { operatorRoutes } from '#src/operator/routes.ts';
import { depositOf, payoutOf } from '../harness/records.ts';
import { startGateway, type Answered, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
let keys: Readonly<Record<'0.1' | '1.0', KeyPair>>;
const deposits: RequestOf<typeof createDeposit>[] = [];
const payouts: RequestOf<typeof createPayout>[] = [];

beforeAll(async () => {
  gateway = await startGateway([
    answering(createDeposit, async (request) => {
      deposits.push(request);
      return { created: true, deposit: depositOf(request) };
    }),
    answering(createPayout, async (request) => {
      payouts.push(request);
      return { created: true, payout: payoutOf(request) };
    }),
  ]);
  const { id, test: key } = await gateway.newAccount();
  const beta = { environment: 'test', api_version: '1.0' };
  keys = { '0.1': key, '1.0': (await gateway.asOperator('POST', `/ops/accounts/${id}/keys`, { body: beta })).body };
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const unknown = 'is not a member of this operation';
const complaintsOf = ({ body }: Answered) =>
  Object.fromEntries(body.error.details.map(({ path, message }) => [path, message]));

const routes = [
  ...merchantRoutes.map((row) => ({ ...row, listener: 'merchant' as const })),
  ...operatorRoutes.map((row) => ({ ...row, listener: 'operator' as const })),
];
type Row = (typeof routes)[number];
const title = ({ method, path }: Row) => `${method} ${path}`;

/** Parameters without which an operation reads nothing else of a call. */
const required: Readonly<Record<string, string>> = {
  'DELETE /ops/compat/integrations': '?account_id=acc_01k9z3m4v6t8x0a2c4e6g8jk01&prefix=cli',
};

function send({ listener, method, path }: Row, query: string, body?: unknown): Promise<Answered> {
  const url = `${path.replaceAll(/:\w+/g, 'x')}${query}`;
  const parts = body === undefined ? {} : { body };
  return listener === 'merchant'
    ? gateway.asMerchant(keys['0.1'], method, url, parts)
    : gateway.asOperator(method, url, parts);
}

describe('what an operation does not know is refused, naming it:', () => {
  test.each(routes.map((row) => [title(row), row] as const))('a parameter of %s', async (_title, row) => {
    const answer = await send(row, '?surprise=1&status_is=PAID', row.example);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(complaintsOf(answer)).toMatchObject({ surprise: unknown, status_is: unknown });
  });

  test.each(
    routes.filter(({ method, upload }) => method !== 'GET' && !upload).map((row) => [title(row), row] as const),
  )('a member of the body of %s', async (_title, row) => {
    const example = row.example ?? {};
    const answer = await send(row, required[title(row)] ?? '', { ...example, surprise: 1, amount_cent: null });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(complaintsOf(answer)).toEqual({ surprise: unknown, amount_cent: unknown });
  });

  test.each([
    ['POST', '/v1/deposits', { payer: { name: 'Maria da Silva', cpf: '52998224725' } }, 'payer.cpf'],
    ['POST', '/v1/payouts', { recipient: { name: 'Maria', documents: [] } }, 'recipient.documents'],
    ['PATCH', '/ops/accounts/acc_1', { fees: { deposit: { percent: 1 } } }, 'fees.deposit.percent'],
    ['PATCH', '/ops/accounts/acc_1', { payout_limits: { per_month_cents: 1 } }, 'payout_limits.per_month_cents'],
  ])('a member within a member of %s %s', async (method, path, body, member) => {
    const [row] = routes.filter((each) => title(each).startsWith(`${method} ${path.replace('acc_1', ':id')}`));
    expect(complaintsOf(await send(row!, '', body))).toMatchObject({ [member]: unknown });
  });

  test('a body that is no object, where none is taken', async () => {
    const cancel = routes.find((row) => title(row) === 'POST /v1/deposits/:id/cancel')!;
    expect(Object.keys(complaintsOf(await send(cancel, '', [1])))).toEqual(['body']);
  });
});

describe('an operation that takes no body takes', () => {
  test.each([[undefined], ['{}'], ['null']])('%s', async (body) => {
    const path = '/v1/deposits/dep_01k9z3m4v6t8x0a2c4e6g8jk02/cancel';
    const answer = await gateway.asMerchant(keys['0.1'], 'POST', path, body === undefined ? {} : { body });
    expect(answer.status).not.toBe(400);
  });
});

describe('a creation in the members of two contracts', () => {
  const post = (path: string, body: object, key: '0.1' | '1.0' = '0.1', version?: string) =>
    gateway.asMerchant(keys[key], 'POST', path, {
      body: { external_id: 'mixed', ...body },
      headers: version === undefined ? {} : { 'x-api-version': version },
    });
  const inBeta = 'belongs to contract 1.0: send X-Api-Version: 1.0';
  const before = { amount_cents: 1_990 };
  const payout = {
    ...before,
    pix_key: 'maria@example.com',
    pix_key_type: 'email',
    recipient: { name: 'Maria da Silva', document: '529.982.247-25' },
  };

  test.each([
    ['/v1/deposits', { ...before, currency: 'MXN', payment_method: 'SPEI' }, ['currency', 'payment_method']],
    ['/v1/deposits', { ...before, amount: 5 }, ['amount']],
    ['/v1/payouts', { ...payout, currency: 'MXN' }, ['currency']],
    ['/v1/payouts', { ...payout, payout_key: '032180000118359719' }, ['payout_key']],
  ])('is refused with the contract each is of: %s %j', async (path, body, members) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(400);
    expect(complaintsOf(answer)).toEqual(Object.fromEntries(members.map((member) => [member, inBeta])));
  });

  test('is refused in contract 1.0 when a member is given under both its names', async () => {
    const refused = 'belongs to contract 0.1: send X-Api-Version: 0.1';
    expect(complaintsOf(await post('/v1/deposits', { amount: 5, ...before }, '1.0'))).toEqual({
      amount_cents: refused,
    });
    expect(complaintsOf(await post('/v1/payouts', { ...payout, payout_key: 'a@example.com' }, '1.0'))).toMatchObject({
      pix_key: refused,
    });
  });

  test('is refused where a member belongs to neither', async () => {
    const answer = await post('/v1/deposits', { ...before, currency: 'MXN', colour: 'red' });
    expect(complaintsOf(answer)).toEqual({ currency: inBeta, colour: unknown });
  });

  test('creates nothing', () => {
    expect([deposits, payouts]).toEqual([[], []]);
  });

  test('is read as its own contract says when what belongs to the other is null', async () => {
    expect((await post('/v1/deposits', { ...before, currency: null, payment_method: null, amount: null })).status).toBe(
      201,
    );
    expect((await post('/v1/deposits', { ...before, amount: null }, '1.0')).status).toBe(201);
    expect(deposits.map(({ currency, amount }) => [currency, amount])).toEqual([
      ['BRL', 1_990],
      ['BRL', 1_990],
    ]);
  });
});
