import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMerchant, bearer, post, runFacade, type RunningFacade } from './running-facade.ts';

let facade: RunningFacade;
beforeAll(async () => {
  facade = await runFacade();
});
afterAll(async () => facade[Symbol.asyncDispose]());

const balancePath = '/compat/cli/client/balance';
const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const tokenOf = async () => {
  const { publicKey, secretKey } = addMerchant(facade.peers);
  const answer = await facade.authenticate(publicKey, secretKey);
  return { publicKey, token: String(answer.body.data?.['token']) };
};

describe('authenticating with a key pair', () => {
  test.each(['/compat/cli', '/compat/alt/cli', '/cli'])('answers 200 in the envelope under %s', async (prefix) => {
    const { publicKey, secretKey } = addMerchant(facade.peers);
    const credentials = post({ clientId: publicKey, password: secretKey, unknown: 1 });
    const answer = await facade.call(`${prefix}/client/authenticate`, credentials);
    expect(answer.status).toBe(200);
    const token = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string;
    const data = { clientId: publicKey, name: 'Casa Feliz Jogos', token };
    expect(answer.body).toEqual({ success: true, data, errors: [] });
  });

  test('gives a token whose exp is eight hours away and that names its key, not its secret', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const { publicKey, token } = await tokenOf();
    const { sub, iat = 0, exp = 0, ...rest } = decodeJwt(token);
    expect(sub).toBe(publicKey);
    expect(iat).toBeGreaterThanOrEqual(before);
    expect(exp - iat).toBe(8 * 3_600);
    expect(rest).toEqual({ iss: 'compat' });
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256', typ: 'JWT' });
  });

  test('is 401 for an unknown key and for a wrong secret, with the same answer', async () => {
    const { publicKey } = addMerchant(facade.peers);
    const wrong = await facade.authenticate(publicKey, 'sk_live_wrong');
    const unknown = await facade.authenticate('pk_live_unknown', 'sk_live_wrong');
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({ success: false, data: null, errors: [expect.any(String)] });
    expect(unknown).toMatchObject({ status: 401, body: wrong.body });
  });

  test.each([
    ['a missing password', { clientId: 'pk' }, ['password is required and must be text']],
    ['numbers', { clientId: 1, password: 2 }, ['clientId is required', 'password is required']],
    ['an empty client id', { clientId: '', password: 'x' }, ['clientId must not be empty']],
    ['a control character', { clientId: 'pk\u0000', password: 'x' }, ['clientId must be printable ASCII']],
    ['an endless password', { clientId: 'pk', password: 'x'.repeat(201) }, ['password must have at most 200']],
    ['a list', [], ['the body must be a JSON object']],
  ])('is 400 naming the field for %s', async (_name, body, errors) => {
    const answer = await facade.call('/compat/cli/client/authenticate', post(body));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ success: false, data: null });
    expect(answer.body.errors).toEqual(errors.map((error) => expect.stringContaining(error) as string));
  });
});

describe('a body', () => {
  const unreadable = '['.repeat(9_000);
  const sent = (authorization: string | undefined, body: string): RequestInit => ({
    headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
    body,
  });

  test.each([
    ['PUT', '/compat/cli/client/update/notification-url'],
    ['POST', '/compat/cli/payment/pix/generate-pix'],
    ['POST', '/compat/alt/cli/payment/pix/pix-key'],
  ])(
    'of %s %s is not read before the token was checked: one nobody can parse is 401, not 400',
    async (method, path) => {
      for (const authorization of [undefined, 'Bearer abc']) {
        expect((await facade.call(path, { method, ...sent(authorization, unreadable) })).status).toBe(401);
        // Nor is its length, of which the parser would complain.
        expect((await facade.call(path, { method, ...sent(authorization, 'x'.repeat(70_000)) })).status).toBe(401);
      }
      const { token } = await tokenOf();
      expect((await facade.call(path, { method, ...sent(`Bearer ${token}`, unreadable) })).status).toBe(400);
    },
  );

  test('of authenticate has 2 KiB at most', async () => {
    const { publicKey, secretKey } = addMerchant(facade.peers);
    const credentials = (blanks: number) =>
      JSON.stringify({ clientId: publicKey, password: secretKey }).padEnd(blanks, ' ');
    const authenticate = (body: string) =>
      facade.call('/compat/cli/client/authenticate', { method: 'POST', ...sent(undefined, body) });
    expect((await authenticate(credentials(2_048))).status).toBe(200);
    expect((await authenticate(credentials(2_049))).status).toBe(413);
  });
});

describe('a token', () => {
  test('is read whatever the case of its scheme', async () => {
    const { token } = await tokenOf();
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`]) {
      expect(await facade.call(balancePath, { headers: { authorization } })).toMatchObject({ status: 200 });
    }
  });

  test('ends with its key: the next call after the revocation is 401', async () => {
    const { publicKey, token } = await tokenOf();
    expect(await facade.call(balancePath, withToken(token))).toMatchObject({ status: 200 });
    facade.peers.keys.delete(publicKey);
    const answer = await facade.call(balancePath, withToken(token));
    expect(answer).toMatchObject({ status: 401, body: { success: false, data: null } });
  });

  test.each([
    ['is missing', undefined],
    ['comes without its scheme', 'eyJhbGciOiJIUzI1NiJ9.e30.x'],
    ['is basic credentials', 'Basic cGs6c2s='],
    ['is not a JWT', 'Bearer abc'],
    ['names a key of nobody', 'Bearer eyJhbGciOiJIUzI1NiIsImtpZCI6Im5vYm9keSJ9.e30.x'],
  ])('that %s is 401 in the envelope', async (_name, authorization) => {
    const answer = await facade.call(balancePath, authorization === undefined ? {} : { headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ success: false, data: null, errors: [expect.any(String)] });
  });

  test('that was changed, signed by another or not signed at all is 401', async () => {
    const { publicKey, token } = await tokenOf();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const { kid } = decodeProtectedHeader(token);
    const other = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'pk_live_other' })).toString('base64url');
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url');
    const forged = await new SignJWT({ sub: publicKey, iss: 'compat', exp: 4_000_000_000 })
      .setProtectedHeader({ alg: 'HS256', kid: String(kid) })
      .sign(new Uint8Array(32));
    for (const bad of [`${header}.${other}.${signature}`, `${unsigned}.${payload}.`, forged]) {
      expect(await facade.call(balancePath, withToken(bad))).toMatchObject({ status: 401 });
    }
  });
});

test('two key pairs never share a token', async () => {
  const first = addMerchant(facade.peers);
  const second = addMerchant(facade.peers, 'test');
  facade.peers.balances.set(`live:${first.accountId}`, [{ currency: 'BRL', available: 1, pending: 0, blocked: 0 }]);
  facade.peers.balances.set(`test:${second.accountId}`, [{ currency: 'BRL', available: 2, pending: 0, blocked: 0 }]);
  const tokens = await Promise.all([first, second].map((each) => facade.authenticate(each.publicKey, each.secretKey)));
  const answers = await Promise.all(tokens.map((token) => facade.call(balancePath, bearer(token))));
  expect(answers.map((answer) => answer.body.data?.['availableBalance'])).toEqual([0.01, 0.02]);
});
