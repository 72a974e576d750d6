import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { connectBus } from '@gateway/messaging';
import { eventually, silentLogger, testNatsUrl } from '@gateway/test-kit';
import { MerchantClient } from './support/merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

const stopping = new AsyncDisposableStack();
let certificates: string;
let ca: string;
let stack: Stack;
let merchant: MerchantClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  receiver = stopping.use(await startWebhookReceiver());
  certificates = join(home.path, 'tls');
  makeCertificates(certificates);
  ca = readFileSync(join(certificates, 'nats/ca.pem'), 'utf8');
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true, tls: certificates }));
  const [demo] = stack.dev.merchants;
  if (!demo) throw new Error('the stack made no demo merchant');
  merchant = new MerchantClient(stack.baseUrl, demo.test);
});
afterAll(async () => stopping.disposeAsync());

test('the whole product works with TLS between all of its parts', async () => {
  await merchant.post('/v1/webhooks', { name: 'shop', url: receiver.url, events: [] });
  const { body } = await merchant.post('/v1/deposits', { amount_cents: 1_000, external_id: 'encrypted' });
  expect((await merchant.post(`/v1/test/deposits/${String(body.id)}/pay`)).body.status).toBe('PAID');
  expect((await merchant.get('/v1/balance')).body.brl.available_cents).toBe(1_000);
  await eventually(() => expect(receiver.received.map((each) => each.body.event)).toContain('deposit.paid'));
  const [demo] = stack.dev.merchants;
  const credentials = { clientId: demo?.test.public_key, password: demo?.test.secret_key };
  const authenticated = await merchant.post('/compat/cli/client/authenticate', credentials);
  expect(authenticated.body).toMatchObject({ success: true });
});

describe('nobody is spoken to in clear', () => {
  test('by PostgreSQL, which turns away who does not begin with TLS and believes every connection it has to be encrypted', async () => {
    const url = stack.databaseUrls['gateway_ledger'] ?? '';
    const plain = new Client({ connectionString: url });
    await expect(plain.connect()).rejects.toThrow('no encryption');
    const encrypted = new Client({ connectionString: url, ssl: { ca } });
    await encrypted.connect();
    const { rows } = await encrypted.query(
      'select count(*) filter (where ssl) > 0 as some, bool_and(ssl) as all from pg_stat_ssl s join pg_stat_activity a using (pid) where a.client_addr is not null and a.usename = current_user',
    );
    await encrypted.end();
    expect(rows).toEqual([{ some: true, all: true }]);
  });

  test('by the broker, which lets nobody in who goes on without TLS', async () => {
    const { host, port, username, password } = new URL(stack.natsUrl);
    const socket = connect(Number(port), host.split(':')[0]);
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    await eventually(() => expect(received).toContain('"tls_required":true'));
    socket.write(`CONNECT ${JSON.stringify({ user: username, pass: password, verbose: false })}\r\nPING\r\n`);
    await once(socket, 'close');
    expect(received).not.toContain('PONG');
  });

  test('by compat and by what services tell of their health', async () => {
    await expect(fetch(`${internal('compat').replace('https:', 'http:')}/ready`)).rejects.toThrow();
    expect(await statusOf(`${internal('ledger')}/metrics`, ca)).toBe(200);
    const { PORT } = stack.process('compat').definition.env;
    await expect(fetch(`http://127.0.0.1:${PORT}/compat/cli/client/balance`)).rejects.toThrow();
    expect(await statusOf(`https://127.0.0.1:${PORT}/compat/cli/client/balance`, ca)).toBe(401);
  });
});

describe('a part that cannot prove who it is', () => {
  let stranger: string;
  beforeAll(() => {
    const directory = join(certificates, '..', 'strangers');
    makeCertificates(directory);
    stranger = readFileSync(join(directory, 'nats/ca.pem'), 'utf8');
  });

  test('is not believed to be the broker', async () => {
    const signal = AbortSignal.timeout(2_000);
    const options = { url: stack.natsUrl, name: 'test', logger: silentLogger, signal };
    await expect(connectBus({ ...options, tls: { ca: stranger, first: false } })).rejects.toThrow();
    // One that offers no TLS is none either.
    await expect(connectBus({ ...options, url: testNatsUrl(), tls: { ca, first: false } })).rejects.toThrow();
    await using bus = await connectBus({ ...options, signal: AbortSignal.timeout(10_000), tls: { ca, first: false } });
    await bus.ping();
  });

  test('is not believed to be the database, nor another service', async () => {
    const client = new Client({ connectionString: stack.databaseUrls['gateway_ledger'] ?? '', ssl: { ca: stranger } });
    await expect(client.connect()).rejects.toThrow('certificate');
    await expect(statusOf(`${internal('compat')}/ready`, stranger)).rejects.toThrow('certificate');
  });
});

function makeCertificates(directory: string): void {
  const script = join(import.meta.dirname, '../deploy/certificates.mjs');
  expect(spawnSync(process.execPath, [script, '--directory', directory]).status).toBe(0);
}

function internal(service: string): string {
  return `https://127.0.0.1:${stack.process(service).definition.env['INTERNAL_PORT']}`;
}

async function statusOf(url: string, authority: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    get(url, { ca: authority }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}
