import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeposit } from '@gateway/contracts/deposits';
import { getBalance } from '@gateway/contracts/ledger';
import { answering } from '@gateway/messaging';
import { depositOf } from '../harness/records.ts';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

beforeAll(async () => {
  gateway = await startGateway([
    answering(getBalance, async () => ({ balances: [] })),
    answering(createDeposit, async (request) => ({ created: true, deposit: depositOf(request) })),
  ]);
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

/** Bytes as they are, and everything that comes back until the connection ends. */
async function exchange(bytes: string, url = gateway.baseUrl): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('utf8');
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const head = (lines: readonly string[], request = 'GET /v1/balance') =>
  [`${request} HTTP/1.1`, 'host: gateway', 'connection: close', ...lines, '', ''].join('\r\n');
const credentials = () => [`x-api-key: ${account.test.public_key}`, `x-api-secret: ${account.test.secret_key}`];

describe('headers', () => {
  test.each<[string, () => string[], number]>([
    [
      'of the key in any case',
      () => credentials().map((line) => line.replace(/^[^:]+/, (name) => name.toUpperCase())),
      200,
    ],
    ['with the key twice', () => [credentials()[0]!, ...credentials()], 401],
    ['with the secret twice, once wrong', () => [...credentials(), 'x-api-secret: sk_test_0'], 401],
    ['with blanks around the key', () => credentials().map((line) => line.replace(': ', ':   ')), 200],
    ['with the contract twice', () => [...credentials(), 'x-api-version: 0.1', 'x-api-version: 0.1'], 400],
    ['with the host twice', () => [...credentials(), 'Host: elsewhere'], 400],
    ['with the content type twice', () => [...credentials(), 'content-type: a/b', 'Content-Type: c/d'], 400],
    ['with a control character', () => [...credentials(), 'x-note: a\u0001b'], 400],
    ['with a name that is none', () => [...credentials(), 'x note: a'], 400],
    ['over 16 KiB', () => [...credentials(), `x-note: ${'a'.repeat(17_000)}`], 431],
    ['with two lengths', () => [...credentials(), 'content-length: 1', 'content-length: 2'], 400],
    ['with a length and chunks', () => [...credentials(), 'content-length: 1', 'transfer-encoding: chunked'], 400],
  ])('%s', async (_case, lines, status) => {
    expect(statusOf(await exchange(head(lines())))).toBe(status);
  });
});

describe('credentials', () => {
  test.each<[string, () => [string, string], string]>([
    ['of the other family', () => [account.test.secret_key, account.test.public_key], 'AUTH_INVALID'],
    [
      'with the secret of the other environment',
      () => [account.test.public_key, account.live.secret_key],
      'AUTH_INVALID',
    ],
    ['in upper case', () => [account.test.public_key.toUpperCase(), account.test.secret_key], 'AUTH_INVALID'],
    ['with a key of 8 KiB', () => ['p'.repeat(8_000), account.test.secret_key], 'AUTH_INVALID'],
    ['with a secret of 8 KiB', () => [account.test.public_key, 's'.repeat(8_000)], 'AUTH_INVALID'],
    ['with a quote', () => ["pk_test_' or '1'='1", account.test.secret_key], 'AUTH_INVALID'],
    ['with an empty secret', () => [account.test.public_key, ''], 'AUTH_REQUIRED'],
    ['with an empty key', () => ['', account.test.secret_key], 'AUTH_REQUIRED'],
    [
      'with a secret that has more behind it',
      () => [account.test.public_key, `${account.test.secret_key}0`],
      'AUTH_INVALID',
    ],
    ['with a secret cut short', () => [account.test.public_key, account.test.secret_key.slice(0, -1)], 'AUTH_INVALID'],
  ])('%s are 401, and the answer repeats none of them', async (_case, pair, code) => {
    const [publicKey, secretKey] = pair();
    const headers = { 'x-api-key': publicKey, 'x-api-secret': secretKey };
    const answer = await gateway.call('GET', '/v1/balance', { headers });
    expect([answer.status, answer.body.error.code]).toEqual([401, code]);
    // One text for each code: none of them says which part is wrong.
    expect(answer.body.error.message).toBe(
      code === 'AUTH_REQUIRED'
        ? 'send the headers x-api-key and x-api-secret, or the same pair as HTTP Basic'
        : 'the API key or its secret is not valid: check that both are of one pair, and that it is not revoked',
    );
    for (const text of [publicKey, secretKey]) if (text !== '') expect(answer.text).not.toContain(text);
  });
});

describe('a body', () => {
  const deposit = (text: string) => gateway.asMerchant(account.test, 'POST', '/v1/deposits', { body: text });
  const valid = { amount_cents: 100, external_id: 'a' };

  test.each<[string, string, number, string | undefined]>([
    ['with NUL in a string', JSON.stringify({ ...valid, external_id: 'a\0b' }), 400, 'external_id'],
    ['with half a surrogate pair', JSON.stringify({ ...valid, external_id: 'a\ud800' }), 400, 'external_id'],
    ['with NUL in a key of metadata', JSON.stringify({ ...valid, metadata: { 'a\0': 'b' } }), 400, 'metadata.a\0'],
    ['with __proto__', `{"__proto__":{"amount_cents":1},"external_id":"a"}`, 400, undefined],
    ['with __proto__ deep inside', `{"metadata":{"__proto__":"x"},"amount_cents":1,"external_id":"a"}`, 400, undefined],
    [
      'with constructor.prototype',
      `{"constructor":{"prototype":{}},"amount_cents":1,"external_id":"a"}`,
      400,
      undefined,
    ],
    ['nested 30,000 deep', '['.repeat(30_000), 400, undefined],
    ['nested 8,000 deep and closed', `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`, 400, undefined],
    ['nested 32 deep', `${'{"a":'.repeat(32)}1${'}'.repeat(32)}`, 400, 'amount_cents'],
    ['with a number that is none', '{"amount_cents":NaN,"external_id":"a"}', 400, undefined],
    ['with an amount beyond all bounds', '{"amount_cents":1e999,"external_id":"a"}', 400, 'amount_cents'],
    ['with an amount in text', '{"amount_cents":"100","external_id":"a"}', 400, 'amount_cents'],
    ['with an amount of -0', '{"amount_cents":-0,"external_id":"a"}', 400, 'amount_cents'],
    ['with a name twice', '{"amount_cents":0,"amount_cents":100,"external_id":"a"}', 201, undefined],
    ['of 10 MB', JSON.stringify({ ...valid, note: 'x'.repeat(10_000_000) }), 413, undefined],
    ['that is a list', '[]', 400, 'body'],
    ['that is null', 'null', 400, 'body'],
  ])('%s', async (_case, text, status, path) => {
    const answer = await deposit(text);
    expect(answer.status).toBe(status);
    if (path !== undefined) expect(answer.body.error.details.map((detail) => detail.path)).toContain(path);
    expect(({} as Record<string, unknown>)['amount_cents']).toBeUndefined();
  });

  test('that never ends is refused once it is too large', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const lines = [...credentials(), 'content-type: application/json', 'transfer-encoding: chunked'];
    expect(statusOf(await exchange(`${head(lines, 'POST /v1/deposits')}${chunk}${chunk}`))).toBe(413);
  });
});

describe('a method', () => {
  test.each(['DELETE', 'PATCH', 'PUT', 'OPTIONS', 'PROPFIND', 'TRACE'])(
    '%s that a route lacks is 405 with Allow',
    async (method) => {
      const answer = await exchange(head(credentials(), `${method} /v1/balance`));
      expect([statusOf(answer), /\r\nallow: (.*)\r\n/i.exec(answer)?.[1]]).toEqual([405, 'GET, HEAD']);
    },
  );

  test.each(['BREW', 'get', 'X'.repeat(300)])('%.10s that HTTP lacks is 400', async (method) => {
    expect(statusOf(await exchange(head([], `${method} /v1/balance`)))).toBe(400);
  });

  test('CONNECT finds no tunnel', async () => {
    expect(await exchange(head([], 'CONNECT gateway:443'))).toBe('');
  });
});

test.each([
  '/v1/deposits/%00',
  '/v1/deposits/..%2f..%2fetc',
  '/v1/deposits/dep_%F0%9F%92%B8',
  '/v1/webhooks/__proto__',
])('a path like %s is 404 and asks nobody', async (path) => {
  expect((await gateway.asMerchant(account.test, 'GET', path)).status).toBe(404);
});

test.each(['/%2e%2e/ops/accounts', '//ops/accounts', '/v1/../ops/accounts', '/OPS/accounts'])(
  'no writing of %s leads from the public listener to the operators',
  async (path) => {
    expect(statusOf(await exchange(head(credentials(), `GET ${path}`)))).toBe(404);
  },
);

describe("at the operators' listener", () => {
  const token = () => `authorization: Bearer ${operatorTokens.ana}`;
  const ask = async (lines: readonly string[], request = 'GET /ops/accounts') =>
    statusOf(await exchange(head(lines, request), gateway.opsUrl));
  const create = (text: string) => gateway.asOperator('POST', '/ops/accounts', { body: text });

  test.each<[string, () => string[], number]>([
    ['the token in a header of any case', () => [token().replace('authorization', 'AUTHORIZATION')], 200],
    ['the token twice', () => [token(), token()], 400],
    ['a token of 8 KiB', () => [`${token()}${'0'.repeat(8_000)}`], 401],
    ['an empty token', () => ['authorization: Bearer '], 401],
    ['a quote for a token', () => ["authorization: Bearer ' or 1=1"], 401],
    ['the keys of a merchant', credentials, 401],
    ['the secret of a merchant for a token', () => [`authorization: Bearer ${account.test.secret_key}`], 401],
    ['the host twice', () => [token(), 'host: elsewhere'], 400],
    ['headers over 16 KiB', () => [token(), `x-note: ${'a'.repeat(17_000)}`], 431],
  ])('%s is answered %s', async (_case, lines, status) => {
    expect(await ask(lines())).toBe(status);
  });

  test.each<[string, string, number, string | undefined]>([
    ['with NUL in a string', JSON.stringify({ name: 'a\0b' }), 400, 'name'],
    ['with half a surrogate pair', JSON.stringify({ name: 'a\ud800' }), 400, 'name'],
    ['with __proto__', '{"__proto__":{"name":"a"}}', 400, undefined],
    ['with constructor.prototype', '{"name":"a","fees":{"constructor":{"prototype":{}}}}', 400, undefined],
    ['nested 30,000 deep', `{"name":${'['.repeat(30_000)}`, 400, undefined],
    [
      'nested 8,000 deep and closed',
      `{"name":"a","fees":${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}}`,
      400,
      undefined,
    ],
    ['of 10 MB', JSON.stringify({ name: 'x'.repeat(10_000_000) }), 413, undefined],
    ['that is a list', '[]', 400, 'body'],
    ['with a fee beyond all bounds', '{"name":"a","fees":{"payout":{"bps":1e999}}}', 400, 'fees.payout.bps'],
  ])('a body %s', async (_case, text, status, path) => {
    const answer = await create(text);
    expect(answer.status).toBe(status);
    if (path !== undefined) expect(answer.body.error.details.map((detail) => detail.path)).toContain(path);
    expect(({} as Record<string, unknown>)['name']).toBeUndefined();
  });

  test.each(['DELETE', 'OPTIONS', 'PROPFIND'])('%s that a route lacks is 405', async (method) => {
    expect(await ask([token()], `${method} /ops/accounts`)).toBe(405);
  });

  test.each(['%00', '..%2faudit', '__proto__', 'acc_%F0%9F%92%B8'])('an account called %s is 404', async (id) => {
    expect(await ask([token()], `GET /ops/accounts/${id}`)).toBe(404);
  });

  test('orphan receipts of a deposit that cannot be one are 400', async () => {
    expect(await ask([token()], 'GET /ops/orphan-receipts?deposit_id=%00')).toBe(400);
  });
});

test('whoever sends headers byte by byte, or nothing at all, is let go without an answer, and nobody waits for it', async () => {
  const open = () => {
    const socket = connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    return { socket, closed: once(socket, 'close').then(() => Buffer.concat(chunks).toString('utf8')) };
  };
  // As browsers open one before they have anything to ask.
  const [silent, slow] = [open(), open()];
  slow.socket.write('GET /v1/balance HTTP/1.1\r\nhost: gateway\r\n');
  const dripping = setInterval(() => slow.socket.write('x'), 100);
  expect((await gateway.asMerchant(account.test, 'GET', '/v1/balance')).status).toBe(200);
  expect(await Promise.all([silent.closed, slow.closed])).toEqual(['', '']);
  clearInterval(dripping);
});
