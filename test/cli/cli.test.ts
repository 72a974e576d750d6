import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookEventSchema } from '@gateway/contracts/webhooks';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { startTcpProxy } from '../faults/stage/tcp-proxy.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { newMerchant, type Merchant } from '../sdk/new-merchant.ts';
import { CliProcess } from './cli-process.ts';
import { acceptedBy, exampleReceivers, Listening } from './listening.ts';
import { loggedIds, sell } from './orders.ts';

let stack: Stack;
let home: string;
let merchant: Merchant;
let cli: CliProcess;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  home = stopping.use(temporaryHome()).path;
  stack = stopping.use(await startStack({ home, durable: false, quiet: true, layout: 'together' }));
  merchant = await newMerchant(stack);
  cli = stopping.use(new CliProcess(merchant));
});
afterAll(async () => stopping.disposeAsync());

test('login --local finds the stack on whatever port it is, and nothing is typed', async () => {
  using local = new CliProcess();
  symlinkSync(home, join(local.folder, '.gateway'));
  const { code, stdout, stderr } = await local.run(['login', '--local']);
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain(stack.baseUrl);
  expect(await local.json(['whoami'])).toMatchObject({
    profile: 'local',
    environment: 'test',
    base_url: stack.baseUrl,
  });
  const deposit = await local.json(['deposits', 'create', '--amount', '10,50', '--set', 'metadata.cart=7']);
  expect(deposit).toMatchObject({
    amount_cents: 1_050,
    metadata: { cart: 7 },
    external_id: expect.stringMatching(/^cli-/),
  });
  const pages = await local.run(['open', 'page', deposit.id]);
  expect(pages.stdout.trim()).toBe(deposit.payment_url);
  expect(await local.json(['doctor'])).toMatchObject({ data: [{}, {}, {}, {}, { check: 'webhooks', status: 'ok' }] });
});

describe('every event that merchants receive', () => {
  let listening: Listening;
  beforeAll(async () => {
    listening = stopping.use(await Listening.begin(cli));
  });

  test.each(webhookEventSchema.options)('%s: trigger makes it really happen, and listen forwards it', async (event) => {
    const made = await cli.json(['trigger', event]);
    expect(made).toMatchObject({ id: expect.stringMatching(/^evt_/), event });
    if (event.startsWith('payout.')) expect(made.made).toMatchObject({ deposit: expect.stringMatching(/^dep_/) });
    expect(await cli.json(['events', 'get', made.id])).toMatchObject({ id: made.id, event, data_id: made.data_id });
    await eventually(() => expect(listening.ids).toContain(made.id));
  });

  test.each(exampleReceivers)('is signed so that %s of the examples accepts it', async (example) => {
    const { stdout } = await cli.run(['listen', '--print-secret']);
    const { received } = listening.receiver;
    expect(new Set(received.map(({ body }) => body.event))).toEqual(new Set(webhookEventSchema.options));
    expect(acceptedBy(example, received, stdout.trim())).toEqual(received.map(({ body }) => body.id));
    expect(acceptedBy(example, received, 'whsec_b3RoZXI=')).toEqual([]);
  });

  test('events resend gives a webhook an event that is older than it, and listen has forwarded the same bytes and headers', async () => {
    await using receiver = await startWebhookReceiver();
    const made = await cli.json(['trigger', 'deposit.pending']);
    const webhook = await cli.json(['webhooks', 'create', '--name', 'shop', '--url', receiver.url]);
    expect((await cli.run(['events', 'resend', made.id])).code).toBe(2);
    const sent = await cli.json(['events', 'resend', made.id, '--webhook', webhook.id]);
    expect(sent).toMatchObject({ event: 'deposit.pending', webhook_id: webhook.id });
    await eventually(() => expect(receiver.received.map(({ body }) => body.id)).toEqual([made.id]));
    await cli.run(['webhooks', 'delete', webhook.id]);
    await eventually(() => expect(listening.ids).toContain(made.id));
    const { rawBody, headers } = receiver.received[0]!;
    const forwarded = listening.receiver.received.find(({ body }) => body.id === made.id)!;
    expect(forwarded.rawBody).toEqual(rawBody);
    expect(Object.keys(forwarded.headers)).toEqual(expect.arrayContaining(Object.keys(headers)));
    for (const name of ['content-type', 'user-agent', 'accept-encoding', 'x-gateway-event-id', 'webhook-id'])
      expect([name, forwarded.headers[name]]).toEqual([name, headers[name]]);
  });
});

/** Its log and its listening are those of two tests, between which it stands still. */
let busy: { readonly shop: Merchant; readonly listening: Listening; readonly stoppedAt: number };
const forwarded = (listening: Listening, count: number) =>
  eventually(() => expect(listening.ids.length).toBeGreaterThanOrEqual(count));

test('listen that is killed during 2,000 events goes on where it was', async () => {
  const shop = await newMerchant(stack);
  const listening = stopping.use(await Listening.begin(stopping.use(new CliProcess(shop))));
  const orders = Array.from({ length: 1_000 }, (_, nth) => `order-${nth}`).values();
  const writing = Array.from({ length: 8 }, async () => {
    for (const order of orders) await sell(shop, order);
  });
  await forwarded(listening, 200);
  await listening.kill();
  await listening.beginAgain();
  await forwarded(listening, 600);
  listening.suspend();
  busy = { shop, listening, stoppedAt: performance.now() };
  await Promise.all(writing);
});

test.each(['bad-day', 'dispute-lost', 'refunds', 'shop', 'spei-partial', 'usdt'])(
  'the scenario %s goes as it says, again and again',
  async (name) => {
    expect((await cli.json(['run', name])).data.length).toBeGreaterThan(3);
    expect((await cli.json(['run', name])).data.length).toBeGreaterThan(3);
  },
);

test('a scenario whose answer is another one ends with 9 and names the step', async () => {
  const file = join(cli.folder, 'wrong.json');
  const steps = [{ name: 'balance', call: 'GET /v1/balance', expect: { body: { brl: { total: -1 } } } }];
  writeFileSync(file, JSON.stringify({ name: 'wrong', about: '', steps }));
  const { code, stdout, stderr } = await cli.run(['run', file]);
  expect([code, stdout]).toEqual([9, '']);
  expect(stderr).toContain('step balance');
});

test('seed fills an account, and lists walk all of it', async () => {
  const seeded = await cli.json(['seed', '--deposits', '6', '--payouts', '3']);
  const list = await cli.run(['deposits', 'list', '--all', '--limit', '2', '--jsonl']);
  const rows = list.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows.filter(({ external_id: id }) => id.startsWith(`${seeded.external_ids}-d`))).toHaveLength(6);
  expect((await cli.json(['deposits', 'list', '--all', '--limit', '2'])).data).toHaveLength(rows.length);
  const { stdout } = await cli.run(['transactions', 'list', '--csv']);
  expect(stdout.split('\n')[0]).toContain('balance_after_cents');
});

describe('what is piped', () => {
  const commands: readonly (readonly [operation: string, schema: string, args: readonly string[]])[] = [
    ['createDeposit', 'Deposit', ['deposits', 'create', '--amount', '30', '--external-id', 'ajv-1']],
    ['listDeposits', 'DepositPage', ['deposits', 'list', '--limit', '3']],
    ['createPayout', 'PayoutAnswer', ['payouts', 'create', '-d', '@payout.json']],
    ['getBalance', 'Balance', ['balance', 'get']],
    ['listPayouts', 'PayoutPage', ['payouts', 'list', '--all']],
    ['listDisputes', 'DisputePage', ['disputes', 'list']],
    ['listEvents', 'EventPage', ['events', 'list', '--limit', '5']],
    ['getAccount', 'OwnAccount', ['account', 'get']],
    ['getAccount', 'OwnAccount', ['api', 'GET', '/v1/account']],
  ];

  test.each(commands)(
    '%s is one document that fits %s of the description, and nothing else',
    async (_, schema, args) => {
      const recipient = { name: 'Maria da Silva', document: '52998224725' };
      const pix = { pix_key: 'maria@example.com', pix_key_type: 'email', recipient };
      writeFileSync(
        join(cli.folder, 'payout.json'),
        JSON.stringify({ amount_cents: 100, external_id: 'ajv-2', ...pix }),
      );
      const { code, stdout, stderr } = await cli.run([...args, '--json']);
      expect([code, stderr]).toEqual([0, '']);
      const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/api/openapi-0.1.json'), 'utf8'));
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      const validate = ajv.compile({ ...document, $ref: `#/components/schemas/${schema}` });
      const isValid = validate(JSON.parse(stdout));
      expect(validate.errors).toBeNull();
      expect(isValid).toBe(true);
    },
  );

  test('is refused with an exit code, and standard output stays empty', async () => {
    const ends = [
      [5, ['deposits', 'get', 'dep_01k9z3m4v6t8x0a2c4e6g8jk09']],
      [3, ['deposits', 'create', '--amount', '31', '--external-id', 'ajv-1']],
      [3, ['deposits', 'create', '-d', '{"amount_cents":0}']],
      [2, ['deposits', 'create', '--nothing']],
    ] as const;
    for (const [expected, args] of ends) {
      const { code, stdout } = await cli.run(args);
      expect([args, code, stdout]).toEqual([args, expected, '']);
    }
    using stranger = new CliProcess({ ...merchant, secretKey: 'sk_test_wrong' });
    const { code, stderr } = await stranger.run(['whoami']);
    expect(code).toBe(4);
    expect(stderr).not.toContain('sk_test_wrong');
  });

  test('stands in the log without keys and bodies', async () => {
    const { data } = await cli.json(['logs']);
    expect(data.length).toBeGreaterThan(10);
    const log = readFileSync(join(cli.env['XDG_STATE_HOME']!, 'gateway/requests.jsonl'), 'utf8');
    expect(log).not.toContain(merchant.secretKey);
    expect(data[0]).toEqual({
      ...{ at: expect.any(String), method: expect.any(String), path: expect.stringMatching(/^\/v1\//) },
      ...{ status: expect.any(Number), ms: expect.any(Number), request_id: expect.stringMatching(/^req_/) },
    });
  });
});

test('a terminal gets tables with amounts as people write them, in colours', async () => {
  await cli.json(['deposits', 'create', '--amount', '1234.56', '--external-id', 'table-1']);
  const main = join(import.meta.dirname, '../../sdks/cli/src/main.ts');
  const command = `${process.execPath} --conditions=gateway-source ${main} deposits list --external-id table-1`;
  const env = { ...cli.env, TERM: 'xterm' };
  const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], { env });
  expect(stdout).toContain('R$ 1.234,56');
  expect(stdout).toContain('EXTERNAL ID');
  expect(stdout).toContain('\u001b[33mPENDING');
});

test.each(['bash', 'zsh', 'fish'])('completion works in %s', async (shell) => {
  const { code, stdout: completion } = await cli.run(['completion', shell]);
  expect([code, completion.length > 50]).toEqual([0, true]);
  const main = join(import.meta.dirname, '../../sdks/cli/src/main.ts');
  const program = `${process.execPath} --conditions=gateway-source ${main}`;
  writeFileSync(join(cli.folder, `completion.${shell}`), completion);
  const asked = {
    bash: 'COMP_WORDS=(gateway deposits c); COMP_CWORD=2; _gateway; echo "${COMPREPLY[@]}"',
    zsh: 'compadd() { shift; echo "${(P)1[@]}"; }; words=(gateway deposits c); CURRENT=3; _gateway',
    fish: 'complete -C "gateway deposits c"',
  }[shell];
  const define = shell === 'fish' ? `function gateway; ${program} $argv; end` : `gateway() { ${program} "$@"; }`;
  const script = `${define}\n. ${join(cli.folder, `completion.${shell}`)}\n${asked}`;
  const { stdout } = await promisify(execFile)(shell, ['-c', script], { env: cli.env });
  expect(stdout.split(/\s+/).filter((word) => word !== '')).toEqual(expect.arrayContaining(['create', 'cancel']));
});

test('listen that then stands still for a minute, and is killed again, has forwarded each in the order of the log', async () => {
  const { shop, listening, stoppedAt } = busy;
  await eventually(() => expect(performance.now() - stoppedAt).toBeGreaterThan(60_000), { timeoutMs: 70_000 });
  expect(listening.ids.length).toBeLessThan(2_000);
  listening.resume();
  await forwarded(listening, 1_200);
  await listening.kill();
  await listening.beginAgain();
  await forwarded(listening, 2_000);
  const logged = await loggedIds(shop);
  expect(logged).toHaveLength(2_000);
  expect(listening.ids).toEqual(logged);
});

test('listen outlives a network that is cut, and the kill of all services, while orders go on: each event once, in the order of the log, each outage reported once', async () => {
  const shop = await newMerchant(stack);
  await using network = await startTcpProxy();
  network.target = { host: '127.0.0.1', port: Number(new URL(stack.baseUrl).port) };
  const baseUrl = `http://127.0.0.1:${network.port}`;
  using laptop = new CliProcess({ ...shop, baseUrl });
  await using listening = await Listening.begin(laptop);
  let sold = 0;
  const closing = new AbortController();
  stopping.defer(() => closing.abort());
  const selling = (async () => {
    for (; !closing.signal.aborted; sold += 1) await sell(shop, `order-${sold}`);
  })();
  const outages = (count: number) => eventually(() => expect(listening.reports('; waiting')).toBe(count));
  await forwarded(listening, 20);

  network.cut('reset');
  await outages(1);
  const [before, soldBefore] = [listening.ids.length, sold];
  await eventually(() => expect(sold).toBeGreaterThan(soldBefore + 10));
  expect(listening.ids).toHaveLength(before);
  network.heal();
  await forwarded(listening, before + 20);

  const services = stack.process('api-gateway');
  await services.stop('SIGKILL');
  await outages(2);
  const soldAtDeath = sold;
  await services.start();
  await stack.ready();
  await eventually(() => expect(sold).toBeGreaterThan(soldAtDeath + 10));
  closing.abort();
  await selling;

  await forwarded(listening, 2 * sold);
  expect(listening.received).toEqual(await loggedIds(shop));
  expect([listening.reports('; waiting'), listening.reports('there again')]).toEqual([2, 2]);
});
