import { setTimeout as delay } from 'node:timers/promises';
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

/** Test mode, or live through the provider's simulator. */
export type Mode = 'test' | 'live';

/** A merchant of the product with a key of one mode. */
export interface Merchant {
  readonly accountId: string;
  /** Its credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The same as the baseline's. */
export const feeCents = 10;
const atOnce = 16;
const unlimited = { per_second: 100_000, burst: 1_000_000 };
const creditPollMs = 200;
const keyPairSchema = z.object({ public_key: z.string(), secret_key: z.string() });
const proposedSchema = z.object({ approval: z.object({ id: z.string() }) });
const approvedSchema = z.object({ approval: z.object({ outcome: keyPairSchema }) });

/** Sets up merchants whom no rate limit holds back, through the operator API. */
export async function createMerchants(stack: Stack, count: number, mode: Mode = 'test'): Promise<Merchant[]> {
  return await inParallel(
    Array.from({ length: count }, (_, index) => index),
    (index) => createMerchant(stack, `Merchant ${index}`, { mode, rateLimit: unlimited }),
  );
}

interface MerchantOptions {
  readonly mode: Mode;
  /** What a new account has unless another one is named. */
  readonly rateLimit?: AccountRequest['rate_limit'];
}

export async function createMerchant(
  stack: Stack,
  name: string,
  { mode, rateLimit }: MerchantOptions,
): Promise<Merchant> {
  const { opsUrl } = stack;
  const headers = operatorOf(stack, 0);
  const fee = { fixed_cents: feeCents, bps: 0 };
  const body: AccountRequest = {
    name,
    ...(rateLimit ? { rate_limit: rateLimit } : {}),
    auto_approve_payouts: true,
    fees: { deposit: fee, payout: fee },
  };
  const account = await callApi(
    { method: 'POST', url: `${opsUrl}/ops/accounts`, headers, body },
    accountResourceSchema,
  );
  const keys = { method: 'POST', url: `${opsUrl}/ops/accounts/${account.id}/keys`, headers } as const;
  const pair =
    mode === 'test'
      ? await callApi({ ...keys, body: { environment: mode } }, keyPairSchema)
      : await approvedKey(stack, await callApi({ ...keys, body: { environment: mode, reason: name } }, proposedSchema));
  return { accountId: account.id, headers: { 'x-api-key': pair.public_key, 'x-api-secret': pair.secret_key } };
}

/** The second operator is shown a live key on a local stack. */
async function approvedKey(stack: Stack, { approval }: z.infer<typeof proposedSchema>) {
  const url = `${stack.opsUrl}/ops/approvals/${approval.id}/approve`;
  const approve = { method: 'POST', url, headers: operatorOf(stack, 1), body: {} } as const;
  return (await callApi(approve, approvedSchema)).approval.outcome;
}

function operatorOf({ dev }: Stack, nth: 0 | 1) {
  return { authorization: `Bearer ${dev.ops_tokens[nth] ?? ''}` };
}

/** Lets each merchant receive a deposit, net of the fee. */
export async function fundMerchants(
  stack: Stack,
  merchants: readonly Merchant[],
  cents: number,
  mode: Mode = 'test',
): Promise<void> {
  const { baseUrl, simulatorUrl } = stack;
  await inParallel(merchants, async (merchant) => {
    const { headers } = merchant;
    const body = { amount_cents: cents + feeCents, external_id: 'funds' };
    const deposit = await callApi(
      { method: 'POST', url: `${baseUrl}/v1/deposits`, headers, body },
      depositResourceSchema,
    );
    if (mode === 'test') {
      const pay = `${baseUrl}/v1/test/deposits/${deposit.id}/pay`;
      await callApi({ method: 'POST', url: pay, headers }, depositResourceSchema);
      return;
    }
    const reference = deposit.id.slice('dep_'.length);
    const pay = `${simulatorUrl}/control/charges/${reference}/pay`;
    await callApi({ method: 'POST', url: pay, headers: {}, body: {} }, z.unknown());
    while ((await readBalance(stack, merchant)).brl.available_cents < cents) await delay(creditPollMs);
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
