import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getDeposit } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { eventually, silentLogger } from '@gateway/test-kit';
import { keepPartitions } from '#src/request-log/partitions.ts';
import { requestsPage } from '#src/request-log/read-requests.ts';
import { RequestLog, type SeenRequest } from '#src/request-log/request-log.ts';
import { rowsReadBy } from '../harness/rows-read.ts';
import { startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

type Account = Awaited<ReturnType<GatewayUnderTest['newAccount']>>;
interface Logged {
  readonly id: string;
  readonly request_id: string;
  readonly status: number;
  readonly code: string | null;
  readonly path: string;
  readonly query: object | null;
  readonly request: unknown;
  readonly response: unknown;
  readonly user_agent: string | null;
  readonly api_version: string | null;
}

let gateway: GatewayUnderTest;
let shop: Account;
let other: Account;
beforeAll(async () => {
  gateway = await startGateway([
    answering(getDeposit, async () => {
      throw new NotFoundError('deposit');
    }),
  ]);
  [shop, other] = [await gateway.newAccount(), await gateway.newAccount()];
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const listed = async (key: KeyPair, query = ''): Promise<Logged[]> => {
  const { status, body } = await gateway.asMerchant(key, 'GET', `/v1/requests?limit=200${query}`);
  expect(status).toBe(200);
  return body.data as unknown as Logged[];
};
const found = async (key: KeyPair, requestId: string): Promise<Logged> =>
  await eventually(async () => {
    const { status, body } = await gateway.asMerchant(key, 'GET', `/v1/requests/${requestId}`);
    expect(status).toBe(200);
    return body as unknown as Logged;
  });
const send = async (key: KeyPair, requestId: string, body: object) =>
  await gateway.asMerchant(key, 'POST', '/v1/deposits', { body, headers: { 'x-request-id': requestId } });

describe('the log of requests', () => {
  test('has a refused request of a live key with what was sent and answered, without what names a person', async () => {
    const body = { amount_cents: -1, external_id: 'order-7', cpf: '52998224725', payer: { name: 'Maria da Silva' } };
    const { body: refusal } = await send(shop.live, 'refused-1', body);
    const logged = await found(shop.live, 'refused-1');
    expect(logged).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      path: '/v1/deposits',
      request_id: 'refused-1',
    });
    expect(logged.request).toEqual({
      amount_cents: -1,
      external_id: 'order-7',
      cpf: '***',
      payer: { name: 'M*** d*** S***' },
    });
    expect(logged.response).toEqual(refusal);
    expect((await gateway.asMerchant(shop.live, 'GET', `/v1/requests/${logged.id}`)).body.id).toBe(logged.id);
  });

  test('says by which client a call came, also where a runtime lets no program name itself', async () => {
    const client = 'gateway-ts/0.1.0 (browser)';
    const headers = { 'user-agent': 'Mozilla/5.0' };
    const clientOf = async (requestId: string, more: object) => {
      const given = { body: {}, headers: { ...headers, 'x-request-id': requestId, ...more } };
      await gateway.asMerchant(shop.live, 'POST', '/v1/deposits', given);
      return (await found(shop.live, requestId)).user_agent;
    };
    expect(await clientOf('by-browser', {})).toBe('Mozilla/5.0');
    expect(await clientOf('by-sdk', { 'x-gateway-client': client })).toBe(client);
  });

  test('says in which contract a call was answered: that of its header, of its body or of its key', async () => {
    const contractOf = async (requestId: string, body: object, more: object = {}) => {
      const headers = { 'x-request-id': requestId, ...more };
      await gateway.asMerchant(shop.live, 'POST', '/v1/deposits', { body, headers });
      return (await found(shop.live, requestId)).api_version;
    };
    expect(await contractOf('by-key', { amount_cents: -1 })).toBe('0.1');
    expect(await contractOf('by-body', { amount: -1 })).toBe('1.0');
    expect(await contractOf('by-header', { amount_cents: -1 }, { 'x-api-version': '1.0' })).toBe('1.0');
    expect(await contractOf('by-header-too', { amount: -1 }, { 'x-api-version': '0.1' })).toBe('0.1');
  });

  test('has requests of a period, as other lists have theirs: days of a zone, the last of which belongs to it', async () => {
    const { live: key } = await gateway.newAccount();
    await send(key, 'in-time', {});
    const { id } = await found(key, 'in-time');
    const [before, after] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const idsOf = async (query: string) => (await listed(key, query)).map((each) => each.id);
    expect(await idsOf(`&from=${before!.slice(0, 10)}&to=${after!.slice(0, 10)}&zone=UTC`)).toContain(id);
    expect(await idsOf(`&to=${before!.slice(0, 10)}&zone=UTC`)).toEqual([]);
  });

  test('has a call outside the scopes of its key, with the reason', async () => {
    const path = `/ops/accounts/${other.id}/keys`;
    const issued = await gateway.asOperator('POST', path, { body: { environment: 'test', scopes: ['payouts:read'] } });
    const headers = { 'x-request-id': 'outside-1' };
    expect((await gateway.asMerchant(issued.body, 'GET', '/v1/deposits', { headers })).status).toBe(403);
    expect(await found(other.test, 'outside-1')).toMatchObject({ status: 403, code: 'SCOPE_MISSING' });
    expect((await gateway.asMerchant(issued.body, 'GET', '/v1/requests')).body.error.code).toBe('SCOPE_MISSING');
  });

  test('has a call from outside the allowlist of its key, with the address, and none with another secret', async () => {
    const path = `/ops/accounts/${other.id}/keys`;
    const { body: key } = await gateway.asOperator('POST', path, { body: { environment: 'test' } });
    const assign = `update api_key set ip_allowlist = '{203.0.113.7}', version = version + 1 where public_key = $1`;
    await gateway.database.query(assign, [key.public_key]);
    const call = async (pair: KeyPair, name: string) =>
      (await gateway.asMerchant(pair, 'GET', '/v1/balance', { headers: { 'x-request-id': name } })).body.error.code;
    expect(await call({ ...key, secret_key: 'sk_test_wrong' }, 'blocked-0')).toBe('AUTH_INVALID');
    expect(await call(key, 'blocked-1')).toBe('AUTH_IP_BLOCKED');
    expect(await found(other.test, 'blocked-1')).toMatchObject({
      ...{ status: 401, code: 'AUTH_IP_BLOCKED', address: '127.0.0.1', key: key.public_key },
    });
    const { body } = await gateway.asOperator('GET', `/ops/requests?account_id=${other.id}&code=AUTH_IP_BLOCKED`);
    expect(body.data.map((each) => (each as unknown as Logged).request_id)).toEqual(['blocked-1']);
    expect((await gateway.asMerchant(other.test, 'GET', '/v1/requests/blocked-0')).status).toBe(404);
  });

  test('has every request of a test key, and of a live key none that succeeds', async () => {
    for (const key of [shop.test, shop.live]) {
      await gateway.asMerchant(key, 'GET', '/v1/account', { headers: { 'x-request-id': 'read-1' } });
      await gateway.asMerchant(key, 'GET', `/v1/deposits/${newId('deposit')}`, {
        headers: { 'x-request-id': 'read-2' },
      });
    }
    expect(await found(shop.test, 'read-1')).toMatchObject({ status: 200, code: null });
    expect(await found(shop.live, 'read-2')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await gateway.asMerchant(shop.live, 'GET', '/v1/requests/read-1')).status).toBe(404);
  });

  test('has no secret, neither of the credentials nor of an answer', async () => {
    await gateway.asMerchant(
      shop.test,
      'GET',
      '/v1/deposits?payer_document=529.982.247-25&external_id=order-52998224725',
      {
        headers: { 'x-request-id': 'searched-1' },
      },
    );
    await found(shop.test, 'searched-1');
    const rows = await gateway.database.query<{ row: string }>('select to_jsonb(r)::text as row from request_log r');
    const all = rows.map(({ row }) => row).join('\n');
    for (const secret of [shop.test.secret_key, shop.live.secret_key, '52998224725', '529.982.247-25', 'Maria']) {
      expect(all).not.toContain(secret);
    }
  });

  test('has no credentials of receivers', async () => {
    const secrets = { 'X-Shop-Key': 'plain-words', 'X-Auth': 'Basic bWFyaWE6c2VncmVkbw==', Cookie: 'session=abc' };
    const body = { url: 'https://shop.example/hook', events: ['none'], headers: secrets };
    const headers = { 'x-request-id': 'endpoint-1' };
    expect((await gateway.asMerchant(shop.live, 'POST', '/v1/webhooks', { body, headers })).status).toBe(400);
    const logged = await found(shop.live, 'endpoint-1');
    expect(logged.request).toEqual({ ...body, headers: { 'X-Shop-Key': '***', 'X-Auth': '***', Cookie: '***' } });
    for (const secret of Object.values(secrets)) expect(JSON.stringify(logged)).not.toContain(secret);
  });

  test('has a request whose body is null', async () => {
    const headers = { 'x-request-id': 'null-1' };
    expect((await gateway.asMerchant(shop.live, 'POST', '/v1/deposits', { body: 'null', headers })).status).toBe(400);
    expect(await found(shop.live, 'null-1')).toMatchObject({ status: 400, request: null });
  });

  test('of another account, or of the other environment, does not exist', async () => {
    await send(shop.live, 'mine-1', { amount_cents: 0 });
    const { id } = await found(shop.live, 'mine-1');
    for (const key of [shop.test, other.live, other.test]) {
      for (const name of [id, 'mine-1']) {
        expect((await gateway.asMerchant(key, 'GET', `/v1/requests/${name}`)).status).toBe(404);
      }
      expect((await listed(key)).map((each) => each.request_id)).not.toContain('mine-1');
    }
  });

  test('is listed newest first, by page, and found by each of its filters', async () => {
    for (let count = 1; count <= 3; count++) await send(other.live, `page-${count}`, { amount_cents: -count });
    await found(other.live, 'page-3');
    const names = (rows: readonly Logged[]) => rows.map((each) => each.request_id);
    const all = (await listed(other.live, '&path=/v1/deposits')).filter(({ request_id: name }) =>
      name.startsWith('page-'),
    );
    expect(names(all)).toEqual(['page-3', 'page-2', 'page-1']);
    expect(names(await listed(other.live, `&path=/v1/deposits&cursor=${all[1]!.id}`))).toEqual(['page-1']);
    for (const filter of [
      '&status=400',
      '&status=4xx',
      '&code=VALIDATION_ERROR',
      '&method=POST',
      '&request_id=page-2',
    ]) {
      expect(names(await listed(other.live, filter)), filter).toContain('page-2');
    }
    for (const filter of ['&status=5xx', '&status=404', '&code=NOT_FOUND', '&method=GET', '&path=/v1', '&to=1']) {
      expect(names(await listed(other.live, filter)), filter).not.toContain('page-2');
    }
    for (const query of ['status=bad', `cursor=${newId('request')}`, 'path=']) {
      expect((await gateway.asMerchant(other.live, 'GET', `/v1/requests?${query}`)).status, query).toBe(400);
    }
  });

  test('is read by operators for an account or for a request, without bodies, and never for all at once', async () => {
    await send(shop.live, 'asked-about-1', { amount_cents: 0 });
    await found(shop.live, 'asked-about-1');
    for (const query of [`account_id=${shop.id}&code=VALIDATION_ERROR`, 'request_id=asked-about-1']) {
      const { body } = await gateway.asOperator('GET', `/ops/requests?${query}`);
      expect(body.data).toContainEqual(expect.objectContaining({ request_id: 'asked-about-1', account_id: shop.id }));
      expect(Object.keys(body.data[0]!)).not.toContain('request');
    }
    expect((await gateway.asOperator('GET', '/ops/requests')).status).toBe(400);
  });

  test('is read from its index also for both environments of an account, in one order, by page', async () => {
    const many = await gateway.newAccount();
    const rows = Array.from({ length: 3_000 }, (_, count) => newId('request', Date.now() + count));
    await gateway.database.query(
      `insert into request_log (id, environment, account_id, public_key, request_id, method, path, status, elapsed_ms, address)
       select id, case when n % 2 = 0 then 'live' else 'test' end, $2, 'pk', 'many', 'GET', '/v1/balance', 404, 1, '127.0.0.1'
       from unnest($1::text[]) with ordinality as of(id, n)`,
      [rows, many.id],
    );
    await gateway.database.query('analyze request_log');
    const { sql, values } = requestsPage({ accountId: many.id, limit: 50 });
    expect(await rowsReadBy(gateway.database, sql, values)).toBeLessThanOrEqual(102);
    const path = `/ops/requests?account_id=${many.id}&limit=2`;
    const first = (await gateway.asOperator('GET', path)).body;
    const next = (await gateway.asOperator('GET', `${path}&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...next.data].map(({ id }) => id)).toEqual(rows.toSorted().reverse().slice(0, 4));
  });
});

describe('what waits to be logged', () => {
  const seen = (requestId: string, answer = '{}', id = shop.id): SeenRequest => ({
    ...{ caller: { environment: 'test', publicKey: 'pk_test_1', account: { id } }, requestId, method: 'GET' },
    ...{ url: '/v1/account', status: 200, elapsedMs: 1, address: '127.0.0.1', apiVersion: '0.1', userAgent: 'test' },
    ...{ body: null, bodyBytes: 0, answer, atMs: Date.now() },
  });
  const countOf = async (requestId: string) =>
    (await gateway.database.query('select 1 from request_log where request_id = $1', [requestId])).length;

  test('is bounded: what comes beyond is left out, and the rest is written', async () => {
    await using log = await RequestLog.open(gateway.database, silentLogger);
    const large = 'x'.repeat(4 * 1_024 * 1_024);
    for (let count = 0; count < 5; count++) log.note(seen('bounded', large, newId('account')));
    while (await log.write());
    await eventually(async () => expect(await countOf('bounded')).toBe(4));
  });

  test('of one account is a quarter of it: what another one asks beside a program in a loop is written', async () => {
    await using log = await RequestLog.open(gateway.database, silentLogger);
    const noisy = newId('account');
    for (let count = 0; count < 6_000; count++) log.note(seen('in a loop', '{}', noisy));
    log.note(seen('beside a loop'));
    while (await log.write());
    await eventually(async () => expect(await countOf('beside a loop')).toBe(1));
    expect(await countOf('in a loop')).toBe(1_250);
  });

  test('is written beside a request that cannot be', async () => {
    await using log = await RequestLog.open(gateway.database, silentLogger);
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
    for (const body of [nested(32_000), nested(4_000), { a: '\0\uD800' }]) log.note({ ...seen('odd'), body });
    log.note(seen('beside'));
    await eventually(async () => expect(await countOf('beside')).toBe(1));
    expect(await countOf('odd')).toBeGreaterThan(0);
  });

  test('is written although a reader keeps the days ahead from being made, who is waited for a second long', async () => {
    await keepPartitions(gateway.database, new Date());
    const later = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    await gateway.database.query(`drop table request_log_test_${later}`);
    await gateway.database.transaction(async (reader) => {
      await reader.sql('lock table request_log_test in access share mode');
      await expect(keepPartitions(gateway.database, new Date())).rejects.toThrow(/lock timeout/);
      await using log = await RequestLog.open(gateway.database, silentLogger);
      log.note(seen('beside a reader'));
      await eventually(async () => expect(await countOf('beside a reader')).toBe(1));
    });
    await keepPartitions(gateway.database, new Date());
  });

  test('is written before the process ends', async () => {
    const log = await RequestLog.open(gateway.database, silentLogger);
    log.note(seen('last'));
    await log[Symbol.asyncDispose]();
    expect(await countOf('last')).toBe(1);
  });
});

test('a day is a table, made before it begins and dropped as a whole: live after seven days, test after thirty', async () => {
  const days = async (environment: string) =>
    (
      await gateway.database.query<{ name: string }>(
        `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
         join pg_class parent on parent.oid = i.inhparent where parent.relname = $1 order by 1`,
        [`request_log_${environment}`],
      )
    ).map(({ name }) => name.slice(-8));
  const at = (day: number) => new Date(Date.UTC(2031, 0, day));
  await keepPartitions(gateway.database, at(1));
  expect((await days('live')).slice(-4)).toEqual(['20310101', '20310102', '20310103', '20310104']);
  await keepPartitions(gateway.database, at(8));
  expect(await days('live')).toContain('20310101');
  await keepPartitions(gateway.database, at(9));
  expect([await days('live'), await days('test')].map((all) => all.includes('20310101'))).toEqual([false, true]);
  await keepPartitions(gateway.database, at(32));
  expect(await days('test')).not.toContain('20310101');
  await keepPartitions(gateway.database, new Date());
});
