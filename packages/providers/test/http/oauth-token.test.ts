import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chargeInput } from '@gateway/providers/testing';
import { bacenProvider, type ConnectedProvider } from '#src/index.ts';
import { answerJson, ScriptedServer, type ReceivedRequest } from './scripted-server.ts';

const at = new Date('2026-01-02T10:44:37.000Z');

describe('OAuth of the Pix API', () => {
  let server: ScriptedServer;
  let provider: ConnectedProvider;
  let tokens = 0;
  let refusedTokens = new Set<string>();
  let tokenAnswer: { status: number; body: unknown } | 'silence' | null = null;

  beforeEach(async () => {
    tokens = 0;
    refusedTokens = new Set();
    tokenAnswer = null;
    server = await ScriptedServer.start((request, response) => {
      if (request.path === '/oauth/token') {
        if (tokenAnswer === 'silence') return;
        if (tokenAnswer) return answerJson(response, tokenAnswer.status, tokenAnswer.body);
        tokens += 1;
        return answerJson(response, 200, { access_token: `token-${tokens}`, token_type: 'Bearer', expires_in: 3600 });
      }
      if (refusedTokens.has(request.headers.authorization ?? '')) return answerJson(response, 401, {});
      answerJson(response, 404, {
        type: 'https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado',
        title: 'x',
        status: 404,
      });
    });
    provider = bacenProvider(
      {
        id: 'bank',
        baseUrl: server.url,
        tokenUrl: new URL('/oauth/token', server.url),
        clientId: 'client-1',
        clientSecret: 'säcret',
        receivingKey: 'key@example.com',
        callTimeoutMs: 400,
        notifications: { secret: 'a-secret-of-some-length' },
      },
      { now: () => at },
    );
  });
  afterEach(async () => {
    await provider[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const lookUp = () => {
    const charge = chargeInput({ createdAt: at });
    return provider.getCharge({ ref: charge.ref, charge });
  };
  const create = () => provider.createCharge(chargeInput({ createdAt: at }));
  const calls = (): ReceivedRequest[] => server.requests.filter(({ path }) => path !== '/oauth/token');

  test('one token serves many calls, also when they start together', async () => {
    const states = await Promise.all([lookUp(), lookUp(), lookUp()]);
    expect(states).toEqual(Array(3).fill({ status: 'NOT_FOUND' }));
    await lookUp();
    expect(tokens).toBe(1);
    expect(new Set(calls().map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer token-1']));
  });

  test('the client proves itself with Basic over UTF-8 and asks by a form', async () => {
    await lookUp();
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', body: 'grant_type=client_credentials' });
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Buffer.from(request?.headers.authorization?.slice(6) ?? '', 'base64').toString('utf8')).toBe(
      'client-1:säcret',
    );
  });

  test('a refused token is renewed once, and the call repeated with the new one', async () => {
    await lookUp();
    refusedTokens.add('Bearer token-1');
    expect(await lookUp()).toEqual({ status: 'NOT_FOUND' });
    expect(tokens).toBe(2);
  });

  test('refused again it is not_sent, unauthorized', async () => {
    refusedTokens = new Set(['Bearer token-1', 'Bearer token-2', 'Bearer token-3']);
    expect(await create()).toMatchObject({ kind: 'not_sent', reason: 'unauthorized' });
    expect(calls()).toHaveLength(2);
  });

  test.each([
    ['refused', { status: 400, body: { error: 'invalid_client' } }, 'unauthorized'],
    ['unauthorized', { status: 401, body: {} }, 'unauthorized'],
    ['broken', { status: 500, body: {} }, 'unreachable'],
    ['throttled', { status: 429, body: {} }, 'throttled'],
    ['nonsense', { status: 200, body: { token: 'x' } }, 'unreachable'],
  ])('without a token nothing is sent: the endpoint is %s', async (_name, answer, reason) => {
    tokenAnswer = answer;
    expect(await create()).toMatchObject({ kind: 'not_sent', reason });
    expect(calls()).toHaveLength(0);
  });

  test('without a token nothing is sent: the endpoint is silent', async () => {
    tokenAnswer = 'silence';
    expect(await create()).toMatchObject({ kind: 'not_sent' });
    expect(calls()).toHaveLength(0);
  });
});
