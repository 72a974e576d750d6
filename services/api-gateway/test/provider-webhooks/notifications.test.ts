import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streams } from '@gateway/contracts/broker';
import { DomainError } from '@gateway/contracts/errors';
import { providerNotificationSchema, type StoredNotification } from '@gateway/contracts/providers';
import { ensureStreams, startConsumer } from '@gateway/messaging';
import { eventually, silentLogger } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const secret = 'a-secret-of-the-registered-address';
const provider = {
  kind: 'efi',
  id: 'efi',
  baseUrl: 'http://127.0.0.1:1',
  tokenUrl: 'http://127.0.0.1:1/oauth/token',
  clientId: 'client',
  clientSecret: 'secret',
  receivingKey: 'recebe@loja.example',
  payingKey: 'paga@loja.example',
  notifications: { secret },
};

const stream = streams.providerNotifications;
const stack = new AsyncDisposableStack();
const stored: StoredNotification[] = [];
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = stack.use(await startGateway([], { PROVIDERS: JSON.stringify([provider]) }));
  const { bus, database } = gateway;
  const consumer = startConsumer({
    ...{ bus, database, logger: silentLogger, stream: streams.providerNotifications, durable: 'test-notifications' },
    handle: async (messages) => {
      for (const { data } of messages) stored.push(providerNotificationSchema.parse(data));
    },
  });
  stack.use(consumer);
});
afterAll(async () => stack.disposeAsync());

const payment = { endToEndId: 'E12345678202601021004abcdef12345', txid: '01k9z3m4v6t8x0a2c4e6g8jk02' };
const body = JSON.stringify({ pix: [{ ...payment, valor: '19.90', horario: '2026-01-02T10:04:37.250Z' }] });
/** How often this body has been read; what other tests sent may be read again after them. */
const timesRead = (text: string) =>
  stored.filter(({ rawBody }) => Buffer.from(rawBody, 'base64').toString() === text).length;
const notify = (path: string, text = body, headers: Record<string, string> = {}) =>
  gateway.call('POST', path, { body: text, headers: { 'content-type': 'application/json', ...headers } });

describe('a notification of a provider', () => {
  test('is on the bus as it came when it is answered 200, without credentials of the call or the secret of the address', async () => {
    const raw = ` ${body}\n`;
    const path = `/providers/efi/notifications/pix?hmac=${secret}&other=1`;
    expect((await notify(path, raw, { authorization: 'Basic x', 'x-trace': 'kept' })).status).toBe(200);
    await eventually(() => expect(stored).toHaveLength(1));
    const [notification] = stored;
    expect(notification).toMatchObject({
      provider: 'efi',
      pathSuffix: '/pix',
      query: { other: '1' },
      verified: 'hint',
    });
    expect(Buffer.from(notification!.rawBody, 'base64').toString()).toBe(raw);
    expect(notification!.headers).toMatchObject({ 'x-trace': 'kept' });
    expect(notification!.headers).not.toHaveProperty('authorization');
    const kept = await gateway.database.query<{ body: string; kept: string }>(
      `select convert_from(raw_body, 'UTF8') as body, notification::text as kept from notification where id = $1`,
      [notification!.id],
    );
    expect(kept).toMatchObject([{ body: raw }]);
    expect(kept[0]!.kept).not.toContain(secret);
    expect(JSON.stringify(notification)).not.toContain(secret);
  });

  test('that cannot be kept is not answered 200, so that its provider repeats it', async () => {
    const repeated = `  ${body}`;
    await gateway.database.query('alter table notification rename to elsewhere');
    const path = `/providers/efi/notifications/pix?hmac=${secret}`;
    const { status } = await notify(path, repeated);
    await gateway.database.query('alter table elsewhere rename to notification');
    expect(status).toBeGreaterThanOrEqual(500);
    expect((await notify(path, repeated)).status).toBe(200);
    await eventually(() => expect(timesRead(repeated)).toBe(1));
  });

  test('is read although the broker lost it before anybody did', async () => {
    const { bus, database } = gateway;
    const read: StoredNotification[] = [];
    let isAway = true;
    const durable = 'deposits-provider-notifications';
    await using reader = startConsumer({
      ...{ bus, database, logger: silentLogger, stream, durable },
      handle: async (messages) => {
        if (isAway) throw new DomainError('SERVICE_UNAVAILABLE', 'the reader is away');
        for (const { data } of messages) read.push(providerNotificationSchema.parse(data));
      },
    });
    void reader;
    await eventually(() => bus.manager.consumers.info(stream.name, durable));
    const waitsAgain = ` ${body}`;
    expect((await notify(`/providers/efi/notifications/pix?hmac=${secret}`, waitsAgain)).status).toBe(200);
    const unwatched = () => database.query('select from outbox where watched_until is null or watched_until < now()');
    await eventually(async () => expect(await unwatched()).toEqual([]));
    await bus.manager.streams.delete(stream.name);
    await ensureStreams(bus, [stream], silentLogger);
    isAway = false;
    await gateway.startReplica();
    const bodies = () => read.map(({ rawBody }) => Buffer.from(rawBody, 'base64').toString());
    await eventually(() => expect(bodies()).toContain(waitsAgain), { timeoutMs: 60_000 });
  });

  test.each([
    ['without its proof', '/providers/efi/notifications/pix'],
    ['with another proof', '/providers/efi/notifications?hmac=another-secret-of-some-length'],
  ])('%s is 401, and nothing of it is kept', async (given, path) => {
    const bodyOf = (result: string) => body.replace('{', `{"case":"${given}, ${result}",`);
    const [refused, accepted] = [bodyOf('refused'), bodyOf('accepted')];
    const answer = await notify(path, refused);
    expect([answer.status, answer.body.error.code]).toEqual([401, 'AUTH_INVALID']);
    expect((await notify(`/providers/efi/notifications?hmac=${secret}`, accepted)).status).toBe(200);
    await eventually(() => expect(timesRead(accepted)).toBe(1));
    expect(timesRead(refused)).toBe(0);
  });

  test('that nobody is configured for is 404, and one that is too large 413', async () => {
    expect((await notify('/providers/unheard-of/notifications')).status).toBe(404);
    expect((await notify('/providers/sandbox/notifications')).status).toBe(404);
    expect((await notify(`/providers/efi/notifications?hmac=${secret}`, 'x'.repeat(70_000))).status).toBe(413);
  });
});
