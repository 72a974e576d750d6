import { expect } from 'vitest';
import type { ErrorCode } from '@gateway/contracts/errors';
import { eventually } from '@gateway/test-kit';
import { auditor, recipient, type Edge, type NewMerchant } from './edge.ts';
import type { Answer } from './merchant-client.ts';
import { OperatorBrowser, signedInOperator } from './operator-browser.ts';

type Refused = (edge: Edge, merchant: NewMerchant) => Promise<Answer>;

const unknown = '01k9zzzzzzzzzzzzzzzzzzzzzz';
const key = { pix_key: 'maria@example.com', pix_key_type: 'email' };

async function paid({ reference }: Edge, { test }: NewMerchant, amount_cents: number): Promise<string> {
  const { body } = await test.post('/v1/deposits', { amount_cents, external_id: reference() });
  expect((await test.post(`/v1/test/deposits/${body.id}/pay`)).status).toBe(200);
  return body.id;
}

async function quoted(edge: Edge, merchant: NewMerchant): Promise<string> {
  await paid(edge, merchant, 50_000);
  return (await merchant.test.post('/v1/quotes', { from: 'BRL', to: 'USDT', amount: 1_000 })).body.id;
}

const called = async (url: string, init: RequestInit = {}): Promise<Answer> => {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
};

const answeredWith = (code: ErrorCode, call: () => Promise<Answer>): Promise<Answer> =>
  eventually(async () => {
    const answer = await call();
    expect(answer.body.error?.code).toBe(code);
    return answer;
  });

/** One call for each code of the error table that the running product answers with it. */
export const refusedCalls: Readonly<Record<ErrorCode, Refused>> = {
  VALIDATION_ERROR: (_edge, { test }) => test.post('/v1/deposits', { amount_cents: 0 }),
  IP_ALLOWLIST_EXCLUDES_CALLER: (_edge, { test }) => test.call('PUT', '/v1/ip-allowlist', { entries: ['203.0.113.7'] }),
  AUTH_REQUIRED: ({ stack }) => called(`${stack.baseUrl}/v1/balance`),
  AUTH_INVALID: ({ stack }, { keys }) =>
    called(`${stack.baseUrl}/v1/balance`, {
      headers: { 'x-api-key': keys.public_key, 'x-api-secret': `${keys.secret_key}0` },
    }),
  AUTH_IP_BLOCKED: async ({ stack, newMerchant }) => {
    const { test, keys } = await newMerchant();
    expect((await test.call('PUT', '/v1/ip-allowlist', { entries: ['127.0.0.1'] })).status).toBe(200);
    const headers = { 'x-api-key': keys.public_key, 'x-api-secret': keys.secret_key };
    return await called(`${stack.baseUrl}/v1/balance`, { headers: { ...headers, 'x-forwarded-for': '203.0.113.7' } });
  },
  SIGN_IN_REFUSED: ({ stack }) =>
    new OperatorBrowser(stack.opsUrl).call('POST', '/session/link', { token: 'x'.repeat(43) }),
  SESSION_ENDED: ({ stack }) => {
    const browser = new OperatorBrowser(stack.opsUrl);
    browser.cookie = `ops-${new URL(stack.opsUrl).port}=${'x'.repeat(43)}`;
    return browser.call('GET', '/ops/accounts');
  },
  STEP_UP_REQUIRED: async (edge, { id }) => {
    const admin = await signedInOperator(edge, 'step.up', ['admin']);
    return await admin.call('POST', `/ops/accounts/${id}/keys`, { environment: 'live' });
  },
  SCOPE_MISSING: async ({ stack, operate }, { id }) => {
    const issued = await operate('POST', `/ops/accounts/${id}/keys`, {
      environment: 'test',
      scopes: ['deposits:read'],
    });
    const headers = { 'x-api-key': issued.body.public_key, 'x-api-secret': issued.body.secret_key };
    return await called(`${stack.baseUrl}/v1/balance`, { headers });
  },
  TEST_ONLY: (_edge, { live }) => live.post(`/v1/test/deposits/dep_${unknown}/pay`),
  ACCOUNT_FROZEN: async ({ newMerchant, operate }) => {
    const { id, test } = await newMerchant();
    const body = { level: 'writes', reason: 'the key was stolen' };
    expect((await operate('POST', `/ops/accounts/${id}/freeze`, body)).status).toBe(200);
    return await answeredWith('ACCOUNT_FROZEN', () => test.post('/v1/deposits', {}));
  },
  PERMISSION_DENIED: ({ stack }) =>
    called(`${stack.opsUrl}/ops/reconciliations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${auditor.token}` },
    }),
  NOT_FOUND: (_edge, { test }) => test.get(`/v1/deposits/dep_${unknown}`),
  METHOD_NOT_ALLOWED: (_edge, { test }) => test.call('PUT', '/v1/balance', {}),
  INVALID_STATE: async (edge, merchant) =>
    await merchant.test.post(`/v1/deposits/${await paid(edge, merchant, 100)}/cancel`),
  SECOND_PERSON_REQUIRED: async ({ stack, operate }, { id }) => {
    const { approval } = (await operate('POST', `/ops/accounts/${id}/keys`, { environment: 'live' })).body;
    return await called(`${stack.opsUrl}/ops/approvals/${approval.id}/approve`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${stack.dev.ops_tokens[0]}` } },
    });
  },
  QUOTE_EXPIRED: async (edge, merchant) => {
    const quote_id = await quoted(edge, merchant);
    const ledger = await edge.databaseOf('ledger');
    await ledger.query(`update quote set expires_at = now() - interval '1 second' where id = $1`, [quote_id]);
    return await merchant.test.post('/v1/conversions', { quote_id, external_id: edge.reference() });
  },
  QUOTE_ALREADY_USED: async (edge, merchant) => {
    const quote_id = await quoted(edge, merchant);
    const convert = () => merchant.test.post('/v1/conversions', { quote_id, external_id: edge.reference() });
    expect((await convert()).status).toBe(201);
    return await convert();
  },
  PAYLOAD_TOO_LARGE: (_edge, { test }) => test.post('/v1/deposits', { external_id: 'x'.repeat(70_000) }),
  UNSUPPORTED_MEDIA_TYPE: ({ stack }, { keys }) =>
    called(`${stack.baseUrl}/v1/deposits`, {
      ...{ method: 'POST', body: 'a=1' },
      headers: { 'x-api-key': keys.public_key, 'x-api-secret': keys.secret_key, 'content-type': 'text/plain' },
    }),
  INSUFFICIENT_FUNDS: ({ reference }, { test }) =>
    test.post('/v1/payouts', { amount_cents: 100_000_000, external_id: reference(), recipient, ...key }),
  CURRENCY_NOT_SUPPORTED: ({ reference }, { test }) =>
    test.post('/v1/deposits', { amount: 100, currency: 'BRL', payment_method: 'SPEI', external_id: reference() }),
  REFUND_EXCEEDS_AMOUNT: async (edge, merchant) => {
    const id = await paid(edge, merchant, 100);
    const refund = { amount_cents: 101, external_id: edge.reference() };
    return await merchant.test.post(`/v1/deposits/${id}/refunds`, refund);
  },
  LIMIT_REACHED: (_edge, { test }) => {
    const entries = Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`);
    return test.call('PUT', '/v1/ip-allowlist', { entries });
  },
  RATE_LIMITED: async ({ newMerchant }) => {
    const { test } = await newMerchant({ rate_limit: { per_second: 1, burst: 1 } });
    return await answeredWith('RATE_LIMITED', () => test.get('/v1/account'));
  },
  /** A fault of ours: a table that is not there. */
  INTERNAL_ERROR: async ({ databaseOf }, { test }) => {
    const ledger = await databaseOf('ledger');
    await ledger.query('alter table quote rename to quote_away');
    const answer = await test.post('/v1/quotes', { from: 'BRL', to: 'USDT', amount: 1_000 });
    await ledger.query('alter table quote_away rename to quote');
    return answer;
  },
  PROVIDER_UNAVAILABLE: async ({ operate, reference }, { live }) => {
    const { data } = (await operate('GET', '/ops/providers?environment=live')).body;
    const switchAll = async (enabled: boolean) => {
      for (const { id } of data) await operate('PATCH', `/ops/providers/${id}`, { enabled });
    };
    await switchAll(false);
    const charge = () => live.post('/v1/deposits', { amount_cents: 100, external_id: reference() });
    const answer = await answeredWith('PROVIDER_UNAVAILABLE', charge);
    await switchAll(true);
    return answer;
  },
  SERVICE_UNAVAILABLE: async ({ stack }, { test }) => {
    // A service that is gone is started again within the second that a question waits for a receiver.
    const webhooks = stack.process('webhooks');
    webhooks.kill('SIGSTOP');
    const answer = await test.get('/v1/webhooks');
    webhooks.kill('SIGCONT');
    await stack.ready();
    return answer;
  },
  PROVIDER_TIMEOUT: async (edge, merchant) => {
    await paid(edge, merchant, 1_000);
    const slow = { ...key, pix_key: 'timeout@sandbox.test', external_id: edge.reference() };
    return await merchant.test.post('/v1/payouts', { amount_cents: 100, recipient, ...slow });
  },
};
