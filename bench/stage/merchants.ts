import { z } from 'zod';
import {
  accountResourceSchema,
  balanceResourceSchema,
  depositResourceSchema,
  type AccountRequest,
  type BalanceResource,
} from '@gateway/public-api';
import type { Stack } from '@gateway/local-stack';
import { callApi } from './call-api.ts';

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
