import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack, temporaryHome, type Stack } from '@gateway/local-stack';
import { DescribedApi, type Operation } from './support/described-api.ts';
import { requestsFor, type GeneratedRequest, type KnownValues } from './support/generated-request.ts';
import { issueKey } from './support/issue-key.ts';
import { MerchantClient } from './support/merchant-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

const requestsTotal = 5_400;
const requestsAtOnce = 24;
/** Another seed makes other requests; a failure prints the one that makes it again. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
/** Reads every row of the ledger and takes no input. */
const costly = new Set(['runReconciliation']);

type Headers = Readonly<Record<string, string>>;

let stack: Stack;
let receiver: WebhookReceiver;
let known: KnownValues;
let keys: { test: Headers; live: Headers };
/** How many requests were answered in which way. */
const answered = new Map<string, number>();
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  receiver = stopping.use(await startWebhookReceiver());
  stack = stopping.use(await startStack({ home: home.path, durable: false, quiet: true }));
  const ops = async (path: string, body: object, nth: 0 | 1 = 0) => {
    const authorization = `Bearer ${stack.dev.ops_tokens[nth]}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${stack.opsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  };
  // One account is called as, another one is changed.
  const rate_limit = { per_second: 100_000, burst: 1_000_000 };
  const [own, other] = [
    await ops('/ops/accounts', { name: 'a', rate_limit }),
    await ops('/ops/accounts', { name: 'b' }),
  ];
  const pair = (environment: 'test' | 'live') => issueKey(ops, own['id'] ?? '', environment);
  const [testPair, livePair] = [await pair('test'), await pair('live')];
  const headersOf = (each: { public_key: string; secret_key: string }) => ({
    'x-api-key': each.public_key,
    'x-api-secret': each.secret_key,
  });
  keys = { test: headersOf(testPair), live: headersOf(livePair) };
  known = await makeRecords(new MerchantClient(stack.baseUrl, testPair), other['id'] ?? '');
});
afterAll(async () => stopping.disposeAsync());

/** Records of every kind and state, for requests to meet. */
async function makeRecords(merchant: MerchantClient, otherAccountId: string): Promise<KnownValues> {
  const ids: string[] = [otherAccountId];
  const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };
  const webhook = await merchant.post('/v1/webhooks', { name: 'fuzz', url: receiver.url });
  ids.push(webhook.body.id);
  for (let nth = 0; nth < 12; nth++) {
    const { body } = await merchant.post('/v1/deposits', { amount_cents: 50_000, external_id: `known-${nth}` });
    ids.push(body.id);
    if (nth % 3 !== 0) await merchant.post(`/v1/test/deposits/${body.id}/pay`);
    if (nth % 4 === 1) ids.push((await merchant.post(`/v1/test/deposits/${body.id}/dispute`)).body.id);
    const pix_key = nth % 2 === 0 ? 'hold@sandbox.test' : 'maria@example.com';
    const body2 = { amount_cents: 10, external_id: `known-${nth}`, pix_key, pix_key_type: 'email', recipient };
    const { body: made } = await merchant.post('/v1/payouts', body2);
    if (made.payout) ids.push(made.payout.id);
  }
  const entries = await merchant.get('/v1/transactions');
  const deliveries = await merchant.get(`/v1/webhooks/${webhook.body.id}/deliveries?limit=5`);
  ids.push(...[...entries.body.data, ...deliveries.body.data].map((each: { id: string }) => each.id));
  const members = {
    ...{
      document: ['52998224725', '11.222.333/0001-81', null],
      phone: ['+5511999990000'],
      external_id: ['known-1', 'new'],
    },
    ...{ pix_key: ['maria@example.com', '+5511999990000', '52998224725'], email: ['maria@example.com', 'nonsense'] },
    ...{ url: [receiver.url, 'https://127.0.0.1:1/x', 'ftp://x'], callback_url: [null, 'http://shop.example'] },
    ...{ entries: [[], ['127.0.0.1'], ['127.0.0.0/8', '::1']], account_id: [otherAccountId], at: [1, 1_900_000_000] },
    ...{ from: [0], to: [1_900_000_000], since: [0], until: [null], ref_id: ids, data_id: ids, deposit_id: ids },
    ...{ urls: [null, ['https://shop.example/1']], amount_cents: [1, 100, 50_000] },
  };
  return { ids, members };
}

interface Interface {
  readonly url: string;
  readonly api: DescribedApi;
  readonly headersFor: (nth: number) => Headers;
}

/** Sends one request. @returns what the answer has that it must not have */
async function complaintsAbout(fuzzed: Interface, request: GeneratedRequest, nth: number): Promise<string[]> {
  const { operation, path, body, headers } = request;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const what = `${operation.method} ${path} ${JSON.stringify(headers)} ${body?.slice(0, 300) ?? ''}`;
  const answer = await fetch(`${fuzzed.url}${path}`, {
    method: operation.method,
    headers: { ...fuzzed.headersFor(nth), ...type, ...headers },
    body: body ?? null,
    signal: AbortSignal.timeout(20_000),
  }).then(
    async (response) => ({ status: response.status, headers: response.headers, text: await response.text() }),
    (error: unknown) => error as Error,
  );
  if (answer instanceof Error)
    return [`${what}: no answer, ${(answer.cause as Error | undefined)?.message ?? answer.message}`];
  const kind = `${Math.floor(answer.status / 100)}xx`;
  answered.set(kind, (answered.get(kind) ?? 0) + 1);
  const found = fuzzed.api.complaints(operation, answer);
  if (answer.status >= 500) found.push(`${answer.status} ${answer.text}`);
  return found.map((each) => `${what} → ${answer.status}: ${each}`);
}

async function complaintsOf(fuzzed: Interface, requests: readonly GeneratedRequest[]): Promise<string[]> {
  const complaints: string[] = [];
  const waiting = requests.entries();
  const worker = async () => {
    for (const [nth, request] of waiting) complaints.push(...(await complaintsAbout(fuzzed, request, nth)));
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, worker));
  return complaints;
}

/** As many requests for each operation; those with a body have more to get wrong. */
function generate(operations: readonly Operation[], total: number): GeneratedRequest[] {
  const weights = operations.map(({ body }) => (body ? 3 : 1));
  const sum = weights.reduce((a, b) => a + b, 0);
  const made = operations.map((operation, nth) =>
    fc.sample(requestsFor(operation, known), { seed: seed + nth, numRuns: Math.ceil((total * weights[nth]!) / sum) }),
  );
  // Interleaved: what one operation leaves behind is what the next one meets.
  const longest = Math.max(...made.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => made.flatMap((each) => each[round] ?? [])).flat();
}

test('no generated request, fit or unfit, is answered 5xx or outside its description', async () => {
  const authorization = `Bearer ${stack.dev.ops_tokens[0]}`;
  const merchants: Interface = {
    url: stack.baseUrl,
    api: await DescribedApi.read(stack.baseUrl),
    headersFor: (nth) => (nth % 7 === 0 ? keys.live : nth % 97 === 0 ? {} : keys.test),
  };
  const operators: Interface = {
    url: stack.opsUrl,
    api: await DescribedApi.read(stack.opsUrl),
    headersFor: () => ({ authorization }),
  };
  const share = Math.floor(requestsTotal * 0.7);
  // A stream that begins now has no end.
  const ending = merchants.api.operations.filter(({ id }) => id !== 'streamEvents');
  const forMerchants = generate(ending, share);
  const fuzzed = operators.api.operations.filter(({ id }) => !costly.has(id));
  const forOperators = generate(fuzzed, requestsTotal - share);
  console.log(`fuzz seed ${seed}: ${forMerchants.length + forOperators.length} requests`);
  expect(forMerchants.length + forOperators.length).toBeGreaterThanOrEqual(5_000);
  const complaints = [
    ...(await complaintsOf(merchants, forMerchants)),
    ...(await complaintsOf(operators, forOperators)),
  ];
  console.log(`fuzz answers: ${JSON.stringify([...answered])}`);
  expect(complaints.slice(0, 20), `${complaints.length} complaints with FUZZ_SEED=${seed}`).toEqual([]);
});
