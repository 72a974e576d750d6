import { OutgoingMessage } from 'node:http';
import { promisify } from 'node:util';
import { fastify } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '@gateway/money';
import { LinkTokens } from '@gateway/runtime';
import { eventually, silentLogger } from '@gateway/test-kit';
import { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { EventStreams } from '#src/event-streams/event-streams.ts';
import { LoggedHints } from '#src/event-streams/logged-hints.ts';
import { LogStarts } from '#src/event-streams/log-starts.ts';
import { ExportLinks } from '#src/exports/download-export.ts';
import { registerEndpoints } from '#src/http/endpoint.ts';
import { validate } from '#src/http/validate.ts';
import { eventStreamEndpoints } from '#src/merchant/event-stream.ts';
import type { MerchantServices } from '#src/merchant/merchant-endpoint.ts';
import { KeptLog, StreamReader } from '../harness/kept-log.ts';
import { secretsKey, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const log = new KeptLog();
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;
let owner: { environment: 'test'; accountId: string };
let readers = new DisposableStack();
beforeAll(async () => {
  gateway = await startGateway([log.route], { TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(async () => {
  account = await gateway.newAccount();
  owner = { environment: 'test', accountId: account.id };
  readers.dispose();
  readers = new DisposableStack();
});
afterAll(() => readers.dispose());

const open = async (path = '', { key = account.test, headers = {} } = {}) =>
  readers.use(await StreamReader.open(gateway.baseUrl, key, path, headers)).read();
const record = (count = 1) => log.record(owner, count, gateway.bus);

test('a stream begins now, says after which event, and shows each event as it is answered by its id', async () => {
  const newest = record(2).at(-1);
  const stream = await open();
  expect(stream.answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const [id = ''] = record();
  await eventually(() => expect(stream.text).toContain('data: '));
  const [retry, frame = ''] = stream.text.split('\n\n');
  expect(retry).toBe(`retry: 2000\nid: ${newest}`);
  const [idLine, eventLine, dataLine = ''] = frame.split('\n');
  expect([idLine, eventLine]).toEqual([`id: ${id}`, 'event: deposit.pending']);
  expect(JSON.parse(dataLine.replace('data: ', ''))).toMatchObject({ id, object: 'event', environment: 'test' });
});

test('a reader that comes again goes on after its last event, by the header before the query', async () => {
  const [first = '', second = '', ...rest] = record(450);
  const resumed = await open(`?after=${second}`, { headers: { 'last-event-id': first } });
  await eventually(() => expect(resumed.ids).toEqual([second, ...rest]));
  const [next = ''] = record();
  await eventually(() => expect(resumed.ids).toEqual([second, ...rest, next]));
});

test('with follow=false a stream ends when it has caught up', async () => {
  const [first = '', ...rest] = record(250);
  const stream = await open(`?after=${first}&follow=false`);
  await eventually(() => expect(stream.ended).toBe(true));
  expect(stream.ids).toEqual(rest);
  expect(stream.text).toMatch(/: caught up\n\n$/);
  const empty = await open('?follow=false');
  await eventually(() => expect([empty.ended, empty.ids]).toEqual([true, []]));
});

test('a filtered stream goes on from what it has looked at, not from what it has shown', async () => {
  const asked: (string | undefined)[] = [];
  log.beforeAnswer = ({ cursor }) => void asked.push(cursor);
  const [first = ''] = record();
  const stream = await open(`?event=payout.*&after=${first}`);
  const [second] = record();
  await eventually(() => expect(asked.filter((cursor) => cursor === first)).toHaveLength(2));
  record();
  await eventually(() => expect(asked).toContain(second));
  expect(asked.lastIndexOf(first)).toBeLessThan(asked.indexOf(second));
  expect(stream.ids).toEqual([]);
  log.beforeAnswer = () => undefined;
});

test('a filtered stream shows what the filter chooses and nothing else: kinds, names, a record', async () => {
  const recorded = (event: 'deposit.paid' | 'payout.paid' | 'payout.failed' | 'refund.done', dataId = 'dep_1') =>
    log.record(owner, 1, gateway.bus, { event, dataId });
  const byName = await open('?event=payout.*&event=deposit.paid');
  const byRecord = await open('?data_id=dep_2');
  const [paid, , sent, failed] = [
    recorded('deposit.paid'),
    recorded('refund.done'),
    recorded('payout.paid', 'dep_2'),
    recorded('payout.failed'),
  ].flat();
  await eventually(() => expect([byName.ids, byRecord.ids]).toEqual([[paid, sent, failed], [sent]]));
  const [last] = recorded('payout.paid', 'dep_2');
  await eventually(() =>
    expect([byName.ids, byRecord.ids]).toEqual([
      [paid, sent, failed, last],
      [sent, last],
    ]),
  );
});

test.each([
  ['nothing', ''],
  ['no id', 'dep_1'],
  ['a line break in disguise', 'evt_01k9z3m4v6t8x0a2c4e6g8jk01%0aid: x'],
  ['two ids', 'evt_01k9z3m4v6t8x0a2c4e6g8jk01, evt_01k9z3m4v6t8x0a2c4e6g8jk02'],
  ['an event that is not in the log', newId('event')],
])('Last-Event-ID with %s is refused: nobody skips events without knowing', async (_what, id) => {
  record();
  const path = '/v1/events/stream';
  const refused = await gateway.asMerchant(account.test, 'GET', path, { headers: { 'last-event-id': id } });
  expect([refused.status, refused.body.error.details[0]?.path]).toEqual([400, 'last-event-id']);
});

test('an event of another account or environment is no place to go on from', async () => {
  const stranger = await gateway.newAccount();
  const [id = ''] = record();
  for (const key of [stranger.test, account.live]) {
    const refused = await gateway.asMerchant(key, 'GET', `/v1/events/stream?after=${id}`);
    expect([refused.status, refused.body.error.details[0]?.path]).toEqual([400, 'after']);
  }
  const others = await open('', { key: account.live });
  const own = await open();
  const [next] = record();
  await eventually(() => expect(own.ids).toEqual([next]));
  expect(others.ids).toEqual([]);
});

test('a stream that was not hinted at looks by itself, and one whose place is gone ends', async () => {
  const stream = await open();
  const [id] = log.record(owner);
  await eventually(() => expect(stream.ids).toEqual([id]));
  log.drop(owner);
  log.record(owner, 1, gateway.bus);
  await eventually(() => expect(stream.ended).toBe(true));
  expect(stream.ids).toEqual([id]);
});

test('the sixth stream of a key is 429 with Retry-After, and a place is free once a reader has left', async () => {
  const streams = await Promise.all(Array.from({ length: 5 }, () => open()));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const refused = await gateway.asMerchant(account.test, 'GET', '/v1/events/stream');
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await open('', { key: account.live })).status).toBe(200);
  streams[0]?.[Symbol.dispose]();
  await eventually(async () => expect((await open('?follow=false')).status).toBe(200));
});

test('an account has at most 20 streams, whatever its keys', async () => {
  const keys = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const path = `/ops/accounts/${account.id}/keys`;
      return (await gateway.asOperator('POST', path, { body: { environment: 'test' } })).body;
    }),
  );
  const statuses: (number | undefined)[] = [];
  for (const key of keys) for (let nth = 0; nth < 5; nth++) statuses.push((await open('', { key })).status);
  expect(statuses).toEqual([...Array<number>(20).fill(200), ...Array<number>(5).fill(429)]);
});

test('opening a stream costs one request of its key, and events cost none', async () => {
  const burst = 50;
  account = await gateway.newAccount({ rate_limit: { per_second: 1, burst } });
  owner = { environment: 'test', accountId: account.id };
  const stream = await open();
  expect(stream.answer.headers['ratelimit-remaining']).toBe(String(burst - 1));
  record(3 * burst);
  await eventually(() => expect(stream.ids).toHaveLength(3 * burst));
  const { headers } = await gateway.asMerchant(account.test, 'GET', '/v1/account');
  expect(Number(headers.get('ratelimit-remaining'))).toBeGreaterThanOrEqual(burst - 2);
});

test('a HEAD request opens no stream', async () => {
  for (let nth = 0; nth < 6; nth++) {
    const answer = await gateway.asMerchant(account.test, 'HEAD', '/v1/events/stream');
    expect(answer.status).toBe(200);
  }
});

test('a stream ends within a second of the revocation of its key, and shows nothing after it', async () => {
  const stream = await open();
  const [before] = record();
  await eventually(() => expect(stream.ids).toEqual([before]));
  await gateway.asOperator('DELETE', `/ops/keys/${account.test.public_key}`);
  const revokedAt = performance.now();
  await eventually(() => expect(stream.ended).toBe(true));
  expect(performance.now() - revokedAt).toBeLessThan(1_000);
  record();
  expect(stream.ids).toEqual([before]);
});

test('a stream ends within a second of an allowlist that leaves its reader out, and those of others go on', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const [out, within] = [
    await open('', { headers }),
    await open('', { headers: { 'x-forwarded-for': '198.51.100.1' } }),
  ];
  const body = { entries: ['198.51.100.0/24'] };
  const parts = { body, headers: { 'x-forwarded-for': '198.51.100.1' } };
  expect((await gateway.asMerchant(account.test, 'PUT', '/v1/ip-allowlist', parts)).status).toBe(200);
  const changedAt = performance.now();
  await eventually(() => expect(out.ended).toBe(true));
  expect(performance.now() - changedAt).toBeLessThan(1_000);
  const [id] = record();
  await eventually(() => expect(within.ids).toEqual([id]));
});

test('a stopping gateway ends its streams, and does not wait for their readers', async () => {
  await using stopping = await startGateway([log.route]);
  const { test: key } = await stopping.newAccount();
  using stream = (await StreamReader.open(stopping.baseUrl, key)).read();
  await eventually(() => expect(stream.text).toContain('retry'));
  const stoppedAt = performance.now();
  await stopping.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(3_000);
  await eventually(() => expect(stream.ended).toBe(true));
});

test('a stream cut fifty times, within frames too, and resumed by Last-Event-ID shows each event exactly once', async () => {
  log.data = { note: 'x'.repeat(3_000) };
  const recorded = record();
  const seen = [...recorded];
  const readOn = async (charactersMax: number) => {
    const headers = { 'last-event-id': seen.at(-1) ?? '' };
    const reader = await eventually(async () => {
      const opened = readers.use(await StreamReader.open(gateway.baseUrl, account.test, '?follow=false', headers));
      // The places of readers that have left are free in a moment.
      expect(opened.status).toBe(200);
      return opened;
    });
    seen.push(...(await reader.readUntil(charactersMax)));
  };
  // A frame has a little more than 3,000 characters: the cuts are within the first to the fourth.
  for (let cut = 0; cut < 50; cut++) {
    recorded.push(...record(4));
    await readOn(200 + ((cut * 1_234) % 12_000));
  }
  expect(seen.length).toBeLessThan(recorded.length);
  await readOn(Infinity);
  expect(seen).toEqual(recorded);
  log.data = {};
});

test('a stream of which nothing is read for sixty seconds is cut', async () => {
  using timeouts = vi.spyOn(OutgoingMessage.prototype, 'setTimeout');
  expect((await open()).status).toBe(200);
  expect(timeouts.mock.calls.map(([ms]) => ms)).toEqual([60_000]);
});

test('a reader that stops reading holds no more than a page, is cut, and goes on after what it has received', async () => {
  await using parts = new AsyncDisposableStack();
  const { database, bus } = gateway;
  const directory = parts.use(new CallerDirectory({ database, bus, logger: silentLogger }));
  const eventStreams = parts.use(
    new EventStreams({ bus, hints: new LoggedHints(bus, silentLogger), directory, logger: silentLogger }),
  );
  const { caller } = (await directory.find(account.test.public_key))!;
  const app = fastify().setValidatorCompiler(validate);
  parts.defer(() => app.close());
  const exportLinks = new ExportLinks(new LinkTokens([secretsKey]), gateway.baseUrl);
  registerEndpoints<MerchantServices>(app, eventStreamEndpoints, {
    caller: () => ({ caller, apiVersion: '0.1', language: 'en', address: '127.0.0.1' }),
    services: {
      ...{ bus, database, directory, eventStreams, exportLinks, announceExport: () => undefined },
      logStarts: new LogStarts(bus, silentLogger),
    },
    stalledReceiverMs: 1_000,
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const connections = promisify(app.server.getConnections.bind(app.server));
  // Pages of 4 MB, so that what the system takes for the reader is few of them.
  log.data = { note: 'x'.repeat(20_000) };
  const [first = '', ...rest] = record(3_000);
  const before = log.reads;
  using reader = await StreamReader.open(url, account.test, `?after=${first}`);
  await eventually(async () => expect(await connections()).toBe(0));
  const pagesRead = log.reads - before;
  const received = await reader.readUntil(Infinity);
  expect(received).toEqual(rest.slice(0, received.length));
  expect(pagesRead - Math.floor(received.length / 200)).toBeLessThanOrEqual(2);
  log.data = {};
  using again = await StreamReader.open(url, account.test, `?follow=false&after=${received.at(-1) ?? first}`);
  expect(await again.readUntil(Infinity)).toEqual(rest.slice(received.length));
});
