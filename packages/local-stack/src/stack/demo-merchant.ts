import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf, StartFailure } from '#src/progress.ts';
import { writePrivate } from '#src/state-directory.ts';

const keyPairSchema = z.object({ public_key: z.string(), secret_key: z.string() });

const merchantSchema = z.object({
  account_id: z.string(),
  name: z.string(),
  test: keyPairSchema,
  live: keyPairSchema,
});

const linkSchema = z.object({
  name: z.string(),
  console: z.enum(['operators', 'merchants']),
  url: z.string(),
});

/** Signs a person of a developer's machine in, once, within an hour. */
export type SignInLink = z.infer<typeof linkSchema>;

const devFileSchema = z.object({
  base_url: z.string(),
  ops_url: z.string(),
  // Files of earlier versions have neither console nor logins.
  console_url: z.string().default(''),
  merchant_console_url: z.string().default(''),
  logins: z.array(linkSchema).default([]),
  ops_tokens: z.array(z.string()),
  simulator_url: z.string(),
  merchants: z.array(merchantSchema),
});

export type DemoMerchant = z.infer<typeof merchantSchema>;
/** `dev.json`: where the stack is, and who may use it. */
export type DevFile = z.infer<typeof devFileSchema>;

/** The merchants of the last run; none when the file is missing or is not ours. */
export function knownMerchants(file: string): DemoMerchant[] {
  return readDevFile(file)?.merchants ?? [];
}

/** Undefined when the file is missing or is not ours. */
export function readDevFile(file: string): DevFile | undefined {
  try {
    return devFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

export function writeDevFile(file: string, content: DevFile): void {
  writePrivate(file, content);
}

const merchantName = 'Demo Merchant';
const requestTimeoutMs = 10_000;

/** Registered, so that settlements have somewhere to go: the document of the examples. */
const merchantDocument = '52998224725';

const accountSchema = z.object({ id: z.string() });
const keySchema = z.object({ public_key: z.string(), secret_key: z.string() });
const proposedSchema = z.object({ approval: z.object({ id: z.string() }) });
/** On a developer's machine the approver is shown the secret. */
const appliedSchema = z.object({ approval: z.object({ outcome: keySchema }) });

/** The operators' API and two operators: a change that takes two of them needs both tokens. */
export interface OperatorsApi {
  readonly opsUrl: string;
  readonly tokens: readonly [string, string];
}

/**
 * The merchants to try things with: those of the last run, if they still exist, else a new one.
 *
 * @param tokensDecide false: tokens only read, as in every installation that others reach, and none is created
 */
export async function demoMerchants(
  api: OperatorsApi,
  known: readonly DemoMerchant[],
  tokensDecide: boolean,
): Promise<DemoMerchant[]> {
  const existing: DemoMerchant[] = [];
  for (const merchant of known) {
    const response = await call(api, 'GET', `/ops/accounts/${merchant.account_id}`);
    if (response.status !== 404) existing.push(merchant);
  }
  return existing.length > 0 || !tokensDecide ? existing : [await createMerchant(api)];
}

async function createMerchant(api: OperatorsApi): Promise<DemoMerchant> {
  const wanted = { name: merchantName, document: merchantDocument };
  const account = accountSchema.parse(await post(api, '/ops/accounts', wanted));
  const keys = `/ops/accounts/${account.id}/keys`;
  const test = keySchema.parse(await post(api, keys, { environment: 'test' }));
  const proposed = proposedSchema.parse(await post(api, keys, { environment: 'live', reason: 'the demo merchant' }));
  const approval = `/ops/approvals/${proposed.approval.id}/approve`;
  const { outcome } = appliedSchema.parse(await post(api, approval, undefined, 1)).approval;
  return { account_id: account.id, name: merchantName, test, live: outcome };
}

async function post(api: OperatorsApi, path: string, body: unknown, nth: 0 | 1 = 0): Promise<unknown> {
  const response = await call(api, 'POST', path, body, nth);
  if (response.ok) return response.json();
  throw new StartFailure(`POST ${path} for the demo merchant answered ${response.status}: ${await response.text()}`);
}

async function call(
  { opsUrl, tokens }: OperatorsApi,
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
