import { z } from 'zod';
import type { WebhookEvent } from '@gateway/contracts/webhooks';
import type { Stack } from '@gateway/local-stack';
import {
  accountResourceSchema,
  balanceResourceSchema,
  depositResourceSchema,
  type AccountRequest,
  type BalanceResource,
  webhookWithSecretSchema,
} from '@gateway/public-api';

/** A merchant of the product with a test key. */
export interface Merchant {
  readonly accountId: string;
  /** Its credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The same as the baseline's. */
export const feeCents = 10;
const atOnce = 16;
const unlimited = { per_second: 100_000, burst: 1_000_000 };
const keyPairSchema = z.object({ public_key: z.string(), secret_key: z.string() });

/** Sets up merchants whom no rate limit holds back, through the operator API. */
export async function createMerchants(stack: Stack, count: number): Promise<Merchant[]> {
  return await inParallel(
    Array.from({ length: count }, (_, index) => index),
    (index) => createMerchant(stack, index),
  );
}

async function createMerchant({ dev, opsUrl }: Stack, index: number): Promise<Merchant> {
  const headers = { authorization: `Bearer ${dev.ops_tokens[0] ?? ''}` };
  const fee = { fixed_cents: feeCents, bps: 0 };
  const body: AccountRequest = {
    name: `Merchant ${index}`,
    rate_limit: unlimited,
    fees: { deposit: fee, payout: fee },
  };
  const account = await callApi(
    { method: 'POST', url: `${opsUrl}/ops/accounts`, headers, body },
    accountResourceSchema,
  );
  const keys = { method: 'POST', url: `${opsUrl}/ops/accounts/${account.id}/keys`, headers } as const;
  const pair = await callApi({ ...keys, body: { environment: 'test' } }, keyPairSchema);
  return { accountId: account.id, headers: { 'x-api-key': pair.public_key, 'x-api-secret': pair.secret_key } };
}

/** Lets each merchant receive a deposit, net of the fee. */
export async function fundMerchants({ baseUrl }: Stack, merchants: readonly Merchant[], cents: number): Promise<void> {
  await inParallel(merchants, async ({ headers }) => {
    const body = { amount_cents: cents + feeCents, external_id: 'funds' };
    const deposit = await callApi(
      { method: 'POST', url: `${baseUrl}/v1/deposits`, headers, body },
      depositResourceSchema,
    );
    const pay = `${baseUrl}/v1/test/deposits/${deposit.id}/pay`;
    await callApi({ method: 'POST', url: pay, headers }, depositResourceSchema);
  });
}

export async function readBalance({ baseUrl }: Stack, { headers }: Merchant): Promise<BalanceResource> {
  return await callApi({ method: 'GET', url: `${baseUrl}/v1/balance`, headers }, balanceResourceSchema);
}

/** Works through the items, some at a time, and answers in their order. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

const answerTimeoutMs = 30_000;

export interface ApiCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** One call outside of the measurement. @throws Error when it was refused, or answered in another shape */
export async function callApi<Schema extends z.ZodType>(call: ApiCall, schema: Schema): Promise<z.infer<Schema>> {
  const response = await fetch(call.url, {
    method: call.method,
    headers: call.body ? { ...call.headers, 'content-type': 'application/json' } : call.headers,
    signal: AbortSignal.timeout(answerTimeoutMs),
    ...(call.body ? { body: JSON.stringify(call.body) } : {}),
  });
  if (!response.ok) throw new Error(`${call.method} ${call.url} answered ${response.status}: ${await response.text()}`);
  return schema.parse(await response.json());
}

/** Goes through a list of the API, page by page, to its end. */
export async function* readList<Schema extends z.ZodType>(
  { baseUrl }: Stack,
  { headers }: Merchant,
  path: string,
  record: Schema,
): AsyncGenerator<z.infer<Schema>> {
  const pageSchema = z.object({ data: z.array(record), next_cursor: z.string().nullable() });
  const url = new URL(path, baseUrl);
  url.searchParams.set('limit', '200');
  for (;;) {
    const page = await callApi({ method: 'GET', url: url.href, headers }, pageSchema);
    yield* page.data;
    if (page.next_cursor === null) return;
    url.searchParams.set('cursor', page.next_cursor);
  }
}

/** @returns the endpoint's id */
export async function registerWebhook(
  { baseUrl }: Stack,
  { headers }: Merchant,
  { url, events }: { readonly url: string; readonly events: readonly WebhookEvent[] },
): Promise<string> {
  const body = { name: 'benchmark', url, events };
  return (await callApi({ method: 'POST', url: `${baseUrl}/v1/webhooks`, headers, body }, webhookWithSecretSchema)).id;
}
