import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allScopes } from '#src/bacen/oauth.ts';
import {
  basic,
  clientId,
  clientSecret,
  runSimulator,
  tokenRequest,
  type RunningSimulator,
} from './running-simulator.ts';

let simulator: RunningSimulator;
beforeAll(async () => {
  simulator = await runSimulator();
});
afterAll(async () => simulator[Symbol.asyncDispose]());

const txid = '9d36b84fc70b478fb95c12729b90ca25';
const withToken = (token: unknown) => ({ headers: { authorization: `Bearer ${String(token)}` } });

describe('the token endpoint', () => {
  test('grants a bearer token of one hour for the client credentials', async () => {
    const answer = await simulator.call('/oauth/token', tokenRequest());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: allScopes.join(' '),
    });
    // Without the charge it is 404: the token was accepted.
    expect(await simulator.call(`/v2/cob/${txid}`, withToken(answer.body['access_token']))).toMatchObject({
      status: 404,
    });
  });

  test('takes the grant as a form too (RFC 6749, 4.4.2)', async () => {
    const answer = await simulator.call('/oauth/token', {
      method: 'POST',
      headers: { authorization: basic(`${clientId}:${clientSecret}`) },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
  });

  test.each([
    ['a wrong secret', tokenRequest(`${clientId}:wrong`)],
    ['an unknown client', tokenRequest(`nobody:${clientSecret}`)],
    ['no credentials', { ...tokenRequest(), headers: { 'content-type': 'application/json' } }],
  ])('is 401 invalid_client for %s', async (_name, init) => {
    const answer = await simulator.call('/oauth/token', init);
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic/);
  });

  test.each([
    ['another grant', '{"grant_type":"password"}', 'unsupported_grant_type'],
    ['no grant', '{}', 'invalid_request'],
    ['no body', '', 'invalid_request'],
  ])('is 400 for %s', async (_name, body, error) => {
    const answer = await simulator.call('/oauth/token', { ...tokenRequest(), body });
    expect(answer).toMatchObject({ status: 400, body: { error } });
  });
});

describe('a token', () => {
  test.each([
    ['that is missing', {}, 403],
    ['nobody was given', withToken('x'.repeat(43)), 401],
    ['in another scheme', { headers: { authorization: basic(`${clientId}:${clientSecret}`) } }, 403],
  ])('%s is a problem', async (_name, init, status) => {
    const answer = await simulator.call(`/v2/cob/${txid}`, init);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.body).toMatchObject({ type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado', status });
  });

  test('may do what its scopes say, and nothing else', async () => {
    const body = JSON.stringify({ grant_type: 'client_credentials', scope: 'cob.read' });
    const granted = await simulator.call('/oauth/token', { ...tokenRequest(), body });
    expect(granted.body).toMatchObject({ scope: 'cob.read' });
    const ask = (path: string) => simulator.call(path, withToken(granted.body['access_token']));
    expect(await ask(`/v2/cob/${txid}`)).toMatchObject({ status: 404 });
    for (const path of ['/v2/pix/E1', '/v2/webhook/key', '/v2/gn/saldo', '/v2/gn/infracoes', '/v2/gn/pix/enviados']) {
      expect(await ask(path)).toMatchObject({ status: 403 });
    }
    const other = JSON.stringify({ grant_type: 'client_credentials', scope: 'all' });
    expect(await simulator.call('/oauth/token', { ...tokenRequest(), body: other })).toMatchObject({
      ...{ status: 400, body: { error: 'invalid_scope' } },
    });
  });

  test('outlives a restart, and ends when its hour is over', async () => {
    const { body } = await simulator.call('/oauth/token', tokenRequest());
    await simulator.restart();
    expect(await simulator.call(`/v2/cob/${txid}`, withToken(body['access_token']))).toMatchObject({ status: 404 });
    await simulator.testDatabase.database.query("update access_token set expires_at = now() - interval '1 second'");
    expect(await simulator.call(`/v2/cob/${txid}`, withToken(body['access_token']))).toMatchObject({ status: 401 });
  });

  test('is not kept in clear', async () => {
    const { body } = await simulator.call('/oauth/token', tokenRequest());
    const rows = await simulator.testDatabase.database.query('select * from access_token');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(String(body['access_token']));
  });
});
