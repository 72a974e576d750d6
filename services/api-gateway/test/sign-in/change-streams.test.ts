import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Membership, peopleChangedSignal, sessionsRevokedSignal } from '@gateway/contracts/identity';
import { eventsLoggedSignal, type EventsLogged } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { StreamReader } from '../harness/kept-log.ts';
import { browserOf, cookieName, memberCookieName, ScriptedIdentity } from '../harness/signing-in.ts';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let identity: ScriptedIdentity;
let gateway: GatewayUnderTest;
let replica: Awaited<ReturnType<GatewayUnderTest['startReplica']>>;
let shop: string;
let other: string;
let readers = new DisposableStack();
beforeAll(async () => {
  identity = new ScriptedIdentity();
  gateway = await startGateway(identity.routes());
  replica = await gateway.startReplica();
  [shop, other] = [(await gateway.newAccount()).id, (await gateway.newAccount()).id];
});
afterEach(() => {
  readers.dispose();
  readers = new DisposableStack();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const happened = (counts: EventsLogged['counts'], accountId = shop, environment: 'test' | 'live' = 'live') =>
  gateway.bus.connection.publish(
    eventsLoggedSignal,
    JSON.stringify({ environment, accountId, id: newId('event'), counts }),
  );
const openAt = async (url: string, headers: Record<string, string>) =>
  readers.use(await StreamReader.at(url, headers)).read();
const asOperator = (token: string, query = '', { opsUrl } = gateway as Pick<GatewayUnderTest, 'opsUrl'>) =>
  openAt(`${opsUrl}/ops/stream${query}`, { cookie: `${cookieName}=${token}` });
const asMember = (
  token: string,
  accountId = shop,
  environment = 'live',
  { consoleUrl } = gateway as typeof replica,
) => {
  const within = { 'x-account': accountId, 'x-environment': environment };
  return openAt(`${consoleUrl}/stream`, { cookie: `${memberCookieName}=${token}`, ...within });
};
const part = (accountId: string, ...roles: Membership['roles']): Membership => ({
  ...{ accountId, roles, environments: ['test', 'live'] },
});
const changesIn = ({ text }: StreamReader) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as object);
/** Until the stream listens: what happens before that is not its own. */
const listening = async (stream: StreamReader) => {
  await eventually(() => expect(stream.text).toContain('retry: 3000'));
  await gateway.bus.connection.flush();
};

test('a page hears which events happened in its account and its environment, and how often, and nothing of them', async () => {
  const { token } = identity.signInMember('olga', [part(shop, 'owner')]);
  const stream = await asMember(token);
  expect(stream.answer.headers).toMatchObject({
    ...{ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
  await listening(stream);
  happened({ 'deposit.paid': 7 }, other);
  happened({ 'deposit.paid': 7 }, shop, 'test');
  happened({ 'deposit.paid': 2, 'payout.pending': 1 });
  await eventually(() =>
    expect(changesIn(stream)).toEqual([
      { event: 'deposit.paid', count: 2 },
      { event: 'payout.pending', count: 1 },
    ]),
  );
  expect(stream.text).not.toMatch(/acc_|evt_/);
});

test('a person hears of no event whose records their roles do not show', async () => {
  const [owner, approver] = [
    identity.signInMember('olga', [part(shop, 'owner')]).token,
    identity.signInMember('paulo', [part(shop, 'approver')]).token,
  ];
  const [all, some] = [await asMember(owner), await asMember(approver)];
  await Promise.all([listening(all), listening(some)]);
  happened({ 'webhook.failing': 1, 'export.completed': 1, 'deposit.paid': 1 });
  await eventually(() => expect(changesIn(all)).toHaveLength(3));
  await eventually(() => expect(changesIn(some)).toEqual([{ event: 'deposit.paid', count: 1 }]));
});

test('an operator hears of all accounts, or of the one and the environment that are asked for', async () => {
  const { token } = identity.signIn('ana.lima', ['support']);
  const [all, narrowed] = [await asOperator(token), await asOperator(token, `?environment=live&account_id=${shop}`)];
  await Promise.all([listening(all), listening(narrowed)]);
  happened({ 'payout.paid': 1 }, other);
  happened({ 'payout.paid': 1 }, shop, 'test');
  happened({ 'payout.failed': 1 });
  await eventually(() => expect(changesIn(narrowed)).toEqual([{ event: 'payout.failed', count: 1 }]));
  await eventually(() => {
    const counted = (changesIn(all) as { count: number }[]).reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBe(3);
  });
});

test('a revoked session is refused within a second in two replicas, and its stream ends', async () => {
  const { token, session } = identity.signIn('bruno', ['duty']);
  const member = identity.signInMember('olga', [part(shop, 'owner')]);
  const streams = [
    ...[await asOperator(token), await asOperator(token, '', replica)],
    ...[await asMember(member.token), await asMember(member.token, shop, 'live', replica)],
  ];
  await Promise.all(streams.map(listening));
  identity.sessions.clear();
  const ids = [session.id, member.session.id];
  gateway.bus.connection.publish(sessionsRevokedSignal, JSON.stringify({ realm: 'operator', ids }));
  const revokedAt = performance.now();
  await eventually(() => expect(streams.map(({ ended }) => ended)).toEqual([true, true, true, true]));
  expect(performance.now() - revokedAt).toBeLessThan(1_000);
  for (const at of [gateway, replica]) {
    expect((await browserOf(at, token)('GET', '/ops/accounts')).body.error.code).toBe('SESSION_ENDED');
  }
});

test('a stream ends when its person has another part in the account', async () => {
  const { token, session } = identity.signInMember('davi', [part(shop, 'owner')]);
  const stream = await asMember(token);
  await listening(stream);
  session.memberships[0] = part(shop, 'viewer');
  gateway.bus.connection.publish(
    peopleChangedSignal,
    JSON.stringify({ realm: 'merchant', personId: session.personId }),
  );
  await eventually(() => expect(stream.ended).toBe(true));
});

test('a fourth stream of a person is 429, and a place is free once a page has left', async () => {
  const { token } = identity.signIn('carla', ['support']);
  const streams = [await asOperator(token), await asOperator(token), await asOperator(token)];
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await asOperator(token)).status).toBe(429);
  streams[0]?.[Symbol.dispose]();
  await eventually(async () => expect((await asOperator(token)).status).toBe(200));
});

test('a stream keeps no session alive, whatever the page says of it', async () => {
  const { token } = identity.signIn('idle', ['support']);
  const stream = await asOperator(token);
  await listening(stream);
  expect(identity.actives).not.toContain('idle');
  await browserOf(gateway, token)('GET', '/ops/accounts');
  expect(identity.actives).toContain('idle');
});

test('a token follows too, and no request without one', async () => {
  const authorization = `Bearer ${operatorTokens.ana}`;
  expect((await openAt(`${gateway.opsUrl}/ops/stream`, { authorization })).status).toBe(200);
  expect((await openAt(`${gateway.opsUrl}/ops/stream`, {})).status).toBe(401);
  expect((await openAt(`${gateway.consoleUrl}/stream`, { authorization })).status).toBe(401);
});

test('a stopping gateway ends its streams, and does not wait for their pages', async () => {
  await using stopping = await startGateway(identity.routes());
  const { token } = identity.signIn('last', ['support']);
  const stream = await asOperator(token, '', stopping);
  await eventually(() => expect(stream.text).toContain('retry'));
  const stoppedAt = performance.now();
  await stopping.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(3_000);
  await eventually(() => expect(stream.ended).toBe(true));
});
