import { z } from 'zod';

import { StartFailure, messageOf } from '#src/failure.ts';
import type { DemoMerchant, KeyPair } from '#src/stack/dev-file.ts';

const merchantName = 'Demo Merchant';
const requestTimeoutMs = 10_000;

/** Registered, so that settlements have somewhere to go: the document of the examples. */
const merchantDocument = '52998224725';

const accountSchema = z.object({ id: z.string() });
const keySchema = z.object({ public_key: z.string(), secret_key: z.string() });
const proposedSchema = z.object({ approval: z.object({ id: z.string() }) });
const appliedSchema = z.object({ approval: z.object({ outcome: z.looseObject({ claim_url: z.url() }) }) });

/** How the operators' door is reached, and by whom: what takes two operators needs both tokens. */
export interface OperatorsDoor {
  readonly opsUrl: string;
  readonly tokens: readonly [string, string];
}

/** Makes sure that there is a merchant to try things with: those of the last run, if they still exist, else a new one. */
export async function demoMerchants(door: OperatorsDoor, known: readonly DemoMerchant[]): Promise<DemoMerchant[]> {
  const existing: DemoMerchant[] = [];
  for (const merchant of known) {
    const response = await call(door, 'GET', `/ops/accounts/${merchant.account_id}`);
    if (response.status !== 404) existing.push(merchant);
  }
  return existing.length > 0 ? existing : [await createMerchant(door)];
}

async function createMerchant(door: OperatorsDoor): Promise<DemoMerchant> {
  const wanted = { name: merchantName, document: merchantDocument };
  const account = accountSchema.parse(await post(door, '/ops/accounts', wanted));
  const keys = `/ops/accounts/${account.id}/keys`;
  const test = keySchema.parse(await post(door, keys, { environment: 'test' }));
  const proposed = proposedSchema.parse(await post(door, keys, { environment: 'live', reason: 'the demo merchant' }));
  const approval = `/ops/approvals/${proposed.approval.id}/approve`;
  const { outcome } = appliedSchema.parse(await post(door, approval, undefined, 1)).approval;
  return { account_id: account.id, name: merchantName, test, live: await liveKeyOf(outcome) };
}

/** On loopback the approver is shown the secret; elsewhere the link has it, as for any merchant. */
async function liveKeyOf(outcome: { readonly claim_url: string }): Promise<KeyPair> {
  const shown = keySchema.safeParse(outcome);
  if (shown.success) return shown.data;
  const opened = await fetch(outcome.claim_url, {
    method: 'POST',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  if (!opened.ok) throw new StartFailure(`the link of the demo merchant's live key answered ${opened.status}`);
  return keySchema.parse(await opened.json());
}

async function post(door: OperatorsDoor, path: string, body: unknown, nth: 0 | 1 = 0): Promise<unknown> {
  const response = await call(door, 'POST', path, body, nth);
  if (response.ok) return response.json();
  throw new StartFailure(`POST ${path} for the demo merchant answered ${response.status}: ${await response.text()}`);
}

async function call(
  { opsUrl, tokens }: OperatorsDoor,
  method: string,
  path: string,
  body?: unknown,
  nth: 0 | 1 = 0,
): Promise<Response> {
  try {
    return await fetch(`${opsUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokens[nth]}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
  } catch (error) {
    throw new StartFailure(`${method} ${path} for the demo merchant failed: ${messageOf(error)}`);
  }
}
