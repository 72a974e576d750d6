import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Environment } from '../environment/environment.ts';
import { callApi, type Merchant } from '../environment/merchants.ts';
import type { LoadStep } from '../load/load.ts';

/** One thing that can be asked without a valid key, as an attacker asks it. */
export interface Attack {
  readonly what: string;
  readonly step: LoadStep;
  /** What each of its callers sends along; they take turns. */
  readonly callers: readonly Readonly<Record<string, string>>[];
}

const unknownKeys = 1_000;
/** Within the limit of a body, so that nothing but the limit by address stands before the parser. */
const nestedLevels = 32_000;
const rubbishBytes = 60_000;
const chargeSchema = z.object({ id: z.string(), pix: z.object({ qr_url: z.url() }) });

/** Every kind of open operation, each as expensive as it can be asked for. */
export async function listAttacks({ stack }: Environment, { headers }: Merchant): Promise<Attack[]> {
  const body = { amount_cents: 1_000, external_id: 'shown to a payer' };
  const charge = await callApi({ method: 'POST', url: `${stack.baseUrl}/v1/deposits`, headers, body }, chargeSchema);
  const { pathname, search } = new URL(charge.pix.qr_url);
  const get = (path: string): Omit<Attack, 'what'> => ({ step: { method: 'GET', path, expect: 429 }, callers: [{}] });
  const post = (path: string, text: string): Omit<Attack, 'what'> => ({
    step: { method: 'POST', path, body: text, expect: 429 },
    callers: [{}],
  });
  const deep = '['.repeat(nestedLevels) + ']'.repeat(nestedLevels);
  const account = get('/v1/account').step;
  return [
    { what: 'a QR picture by its token', ...get(`${pathname.replace('.svg', '.png')}${search}`) },
    { what: 'payment pages', ...get(`/pay/${charge.id}/forged`) },
    { what: '/openapi.json', ...get('/openapi.json') },
    { what: '/docs/errors', ...get('/docs/errors') },
    { what: '/health', ...get('/health') },
    { what: 'paths that do not exist', ...get('/v1/no-such-route') },
    { what: 'unknown keys', step: account, callers: Array.from({ length: unknownKeys }, newCredentials) },
    { what: "connector's authenticate, 64 KB deep", ...post('/compat/cli/client/authenticate', deep) },
    { what: "connector's authenticate", ...post('/compat/cli/client/authenticate', '{"clientId":"a","password":"b"}') },
    { what: "connector's payouts without a token", ...post('/compat/cli/payment/pix/pix-key', deep) },
    { what: 'forged notifications, 60 KB', ...post('/providers/woovi/notifications', `"${'x'.repeat(rubbishBytes)}"`) },
  ];
}

function newCredentials(): Record<string, string> {
  const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
  return { 'x-api-key': `pk_test_${hex(16)}`, 'x-api-secret': `sk_test_${hex(32)}` };
}
