import { afterAll, beforeAll, expect, test } from 'vitest';
import { DepositPaid } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import { SecretBox } from '@gateway/runtime';
import { eventually, silentLogger } from '@gateway/test-kit';
import { registerWebhook } from '#src/subscriptions/register-webhook.ts';
import { FanOut } from '#src/fanout/fan-out.ts';
import { keepPartitions } from '#src/deliveries/retention.ts';
import { Dispatcher } from '#src/scheduler/dispatcher.ts';
import { AddressPolicy } from '#src/http/address-policy.ts';
import type { TargetGuard } from '#src/http/target.ts';
import { GuardedResolver } from '#src/http/guarded-resolver.ts';
import { newDeposit, newMerchant, paid } from './support/events.ts';
import { BlackHole, rawFaults, RawServer } from './support/faulty-receivers.ts';
import { NameServer } from './support/name-server.ts';
import { Receiver } from './support/receiver.ts';
import { createSender } from './support/senders.ts';
import { createHarness, type Harness } from './support/harness.ts';

/** Far fewer than there are faults: a permit that one of them kept would be missed by those that come after it. */
const permitCounts = { fast: 2, suspect: 2, slow: 2 };
/** One fault after the other, also on a machine that has other things to do. */
const timeout = 120_000;
const policy = new AddressPolicy({ allowInsecure: true, forbiddenRanges: [] });

let webhooks: Harness;
let dispatcher: Dispatcher;
let fanOut: FanOut;
let secretBox: SecretBox;
let guard: TargetGuard;
const parts = new AsyncDisposableStack();
beforeAll(async () => {
  webhooks = parts.use(await createHarness());
  const { database } = webhooks;
  secretBox = new SecretBox([Buffer.from(webhooks.env['SECRETS_KEY'] ?? '', 'base64')]);
  parts.use(await keepPartitions(database, silentLogger, { live: 30, test: 7 }));
  const dns = parts.use(await NameServer.start(() => 'nxdomain'));
  guard = {
    rules: { allowInsecure: true, forbiddenHosts: [], addresses: policy },
    resolver: new GuardedResolver({ policy, allowInsecure: true, servers: [dns.address] }),
  };
  const sender = parts.use(createSender({ dnsServers: [dns.address] }));
  const options = { database, sender, secretBox, logger: silentLogger, replica: 'test', permitCounts };
  dispatcher = parts.use(new Dispatcher(options));
  fanOut = new FanOut({ database, secretBox, dispatcher, onDue: () => dispatcher.wake(), onLogged: () => undefined });
});
afterAll(() => parts.disposeAsync());

/** A new endpoint at the URL, with one event on its way to it. */
async function deliverTo(url: string): Promise<string> {
  const { database } = webhooks;
  const merchant = newMerchant();
  const request = { ...merchant, apiVersion: '0.1' as const, name: 'shop', url, events: [] };
  const { webhook } = await registerWebhook({ database, secretBox, guard }, request);
  const data = { id: newId('event'), occurredAt: 1_790_000_001, deposit: paid(newDeposit(merchant)) };
  const message = { id: data.id, subject: DepositPaid.subject, data, trace: {} };
  await fanOut.handle([message]);
  return webhook.id;
}

async function firstAttemptOf(endpointId: string) {
  return await eventually(async () => {
    const [attempt] = await webhooks.database.query<{ error: string | null; status: number | null }>(
      'select error, response_status as status from attempt where endpoint_id = $1 and number = 1',
      [endpointId],
    );
    expect(attempt).toBeDefined();
    return attempt;
  });
}

/** One endpoint's first attempt, after which nothing more is sent to it. */
async function meets(what: string, url: string, expected: { error: string | null; status: number | null }) {
  const endpointId = await deliverTo(url);
  expect({ what, ...(await firstAttemptOf(endpointId)) }).toEqual({ what, ...expected });
  await webhooks.database.query('update endpoint_queue set halted = true where endpoint_id = $1', [endpointId]);
}

test(
  'every fault is logged with its class and status, and gives its permit and its lease back',
  { timeout },
  async () => {
    for (const [what, { serve, error, status }] of Object.entries(rawFaults)) {
      await using server = await RawServer.start(serve);
      await meets(what, server.url, { error, status });
    }
    await using plain = await RawServer.start((socket) => socket.once('data', () => socket.end('no TLS here')));
    const closed = await RawServer.start(() => undefined);
    const { url: refusing } = closed;
    await closed[Symbol.asyncDispose]();
    using hole = await BlackHole.open();
    await meets('F10', refusing, { error: 'refused', status: null });
    await meets('F11', `http://127.0.0.1:${hole.port}/`, { error: 'connect_timeout', status: null });
    await meets('F12', 'https://nowhere.example/', { error: 'dns_nxdomain', status: null });
    await meets('F13', `https://127.0.0.1:${plain.port}/`, { error: 'tls_other', status: null });
    await eventually(async () => {
      expect(await webhooks.database.query('select endpoint_id from endpoint_queue where inflight > 0')).toEqual([]);
    });
    using reservation = dispatcher.reserve(permitCounts.fast + 1);
    expect(reservation.permits).toBe(permitCounts.fast);
    reservation[Symbol.dispose]();
    await using receiver = await Receiver.start();
    await deliverTo(receiver.url);
    await eventually(() => expect(receiver.received).toHaveLength(1));
  },
);
