import { z } from 'zod';

import { StartFailure, messageOf } from '#src/failure.ts';
import type { DemoMerchant, KeyPair } from '#src/stack/dev-file.ts';

const merchantName = 'Demo Merchant';
const requestTimeoutMs = 10_000;

const accountSchema = z.object({ id: z.string() });
const keySchema = z.object({ public_key: z.string(), secret_key: z.string() });

/** Makes sure that there is a merchant to try things with: those of the last run, if they still exist, else a new one. */
export async function demoMerchants(
  opsUrl: string,
  token: string,
  known: readonly DemoMerchant[],
): Promise<DemoMerchant[]> {
  const existing: DemoMerchant[] = [];
  for (const merchant of known) {
    const response = await call(opsUrl, token, 'GET', `/ops/accounts/${merchant.account_id}`);
    if (response.status !== 404) existing.push(merchant);
  }
  return existing.length > 0 ? existing : [await createMerchant(opsUrl, token)];
}

async function createMerchant(opsUrl: string, token: string): Promise<DemoMerchant> {
  const account = accountSchema.parse(await create(opsUrl, token, '/ops/accounts', { name: merchantName }));
  const key = async (environment: 'test' | 'live'): Promise<KeyPair> =>
    keySchema.parse(await create(opsUrl, token, `/ops/accounts/${account.id}/keys`, { environment }));
  return { account_id: account.id, name: merchantName, test: await key('test'), live: await key('live') };
}

async function create(opsUrl: string, token: string, path: string, body: unknown): Promise<unknown> {
  const response = await call(opsUrl, token, 'POST', path, body);
  if (response.status === 201) return response.json();
  throw new StartFailure(`POST ${path} for the demo merchant answered ${response.status}: ${await response.text()}`);
}

async function call(opsUrl: string, token: string, method: string, path: string, body?: unknown): Promise<Response> {
  try {
    return await fetch(`${opsUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
  } catch (error) {
    throw new StartFailure(`${method} ${path} for the demo merchant failed: ${messageOf(error)}`);
  }
}
