import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { beginIssuerSignIn, finishIssuerSignIn, getIssuer } from '@gateway/contracts/identity';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { cookieName, memberOrigin, ownPage, ScriptedIdentity } from '../harness/signing-in.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const token = 'i'.repeat(43);
const url = 'https://login.example.com/auth?state=s';
const issuerCookie = `ops-issuer-9080=${token}`;
const callback = '/session/issuer/callback?code=c%2B1&state=s&iss=https%3A%2F%2Flogin.example.com';
let identity: ScriptedIdentity;
let gateway: GatewayUnderTest;
let asked: RequestOf<typeof beginIssuerSignIn>[];
let finished: RequestOf<typeof finishIssuerSignIn>[];
let outcome: () => ReplyOf<typeof finishIssuerSignIn>;
beforeAll(async () => {
  identity = new ScriptedIdentity();
  gateway = await startGateway([
    ...identity.routes(),
    answering(getIssuer, async ({ realm }) => ({ issuer: realm === 'operator' ? { name: 'Login' } : null })),
    answering(beginIssuerSignIn, async (request) => {
      asked.push(request);
      if (request.realm === 'merchant') throw new DomainError('SERVICE_UNAVAILABLE', 'Login does not answer');
      return { url, token };
    }),
    answering(finishIssuerSignIn, async (request) => {
      finished.push(request);
      return outcome();
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  [asked, finished] = [[], []];
  outcome = () => ({ outcome: 'signed_in', ...identity.signIn('ana.lima', ['admin']) });
});

const begin = (body: object, headers: Record<string, string> = ownPage, of = gateway.opsUrl) =>
  fetch(`${of}/session/issuer`, { method: 'POST', headers, body: JSON.stringify(body) });
/** As a browser that the issuer sends back: from another site, and with what `Lax` lets it send. */
const land = (cookie = issuerCookie, path = callback) =>
  fetch(`${gateway.opsUrl}${path}`, {
    headers: { cookie, accept: 'text/html', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    redirect: 'manual',
  });
const bodyOf = async (answer: Response): Promise<unknown> => JSON.parse(await answer.text());
const cleared = 'ops-issuer-9080=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax';

describe('a sign-in at an issuer', () => {
  test('is offered where identity names an issuer, at its console alone', async () => {
    expect(await bodyOf(await fetch(`${gateway.opsUrl}/session/issuer`))).toEqual({ issuer: { name: 'Login' } });
    expect(await bodyOf(await fetch(`${gateway.consoleUrl}/session/issuer`))).toEqual({ issuer: null });
  });

  test('leaves with a cookie that the way back sends, for ten minutes', async () => {
    const answer = await begin({});
    expect([answer.status, await bodyOf(answer)]).toEqual([200, { url }]);
    expect(answer.headers.getSetCookie()).toEqual([`${issuerCookie}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`]);
    expect(asked).toMatchObject([{ realm: 'operator', invitationDigest: null }]);
    expect((await begin({ invitation: 'v'.repeat(43) })).status).toBe(200);
    expect(asked[1]?.invitationDigest).toBe(hash('sha256', 'v'.repeat(43)));
  });

  test('is begun by a page of the console alone', async () => {
    expect((await begin({}, { ...ownPage, origin: 'https://evil.example' })).status).toBe(403);
    expect((await begin({}, { ...ownPage, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  test('that the issuer does not answer is an error that names it', async () => {
    const answer = await begin({}, { ...ownPage, origin: memberOrigin }, gateway.consoleUrl);
    expect([answer.status, await bodyOf(answer)]).toEqual([
      503,
      { error: expect.objectContaining({ message: 'Login does not answer' }) as object },
    ]);
  });

  test('comes back into a session, whose cookie no other site makes a browser send', async () => {
    const answer = await land();
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(answer.headers.getSetCookie()).toEqual([
      cleared,
      expect.stringMatching(new RegExp(`^${cookieName}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`)),
    ]);
    expect(finished).toMatchObject([
      { realm: 'operator', tokenDigest: hash('sha256', token), answer: callback.split('?')[1] },
    ]);
  });

  test('leads a person without a second factor to their passkey, and an invited one to enrol', async () => {
    outcome = () => ({ outcome: 'passkey_needed' });
    const recognised = await land();
    expect([recognised.headers.get('location'), recognised.headers.getSetCookie()]).toEqual([
      '/?sign-in=passkey',
      [cleared],
    ]);
    const bindingId = newId('challenge');
    outcome = () => ({ outcome: 'bound', bindingId });
    expect((await land()).headers.get('location')).toBe(`/welcome?binding=${bindingId}`);
  });

  test.each([
    ['SIGN_IN_REFUSED', 'refused'],
    ['NOT_FOUND', 'refused'],
    ['RATE_LIMITED', 'refused'],
    ['SERVICE_UNAVAILABLE', 'unavailable'],
  ] as const)('that ends with %s leads to a page that shows it, without a session', async (code, shown) => {
    outcome = () => {
      throw new DomainError(code, 'no');
    };
    const answer = await land();
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/?sign-in=${shown}`]);
    expect(answer.headers.getSetCookie()).toEqual([cleared]);
  });

  test.each([
    ['another browser, without the cookie', '', callback],
    ['a cookie that is no token', 'ops-issuer-9080=short', callback],
    ['two cookies of the name', `${issuerCookie}; ${issuerCookie}`, callback],
    ['a longer address than an issuer makes', issuerCookie, `${callback}&x=${'x'.repeat(8_192)}`],
  ])('that comes back in %s opens nothing and asks nothing', async (_what, cookie, path) => {
    expect((await land(cookie, path)).headers.get('location')).toBe('/?sign-in=refused');
    expect(finished).toEqual([]);
  });

  test('comes back beside a session that has ended in the meantime', async () => {
    const answer = await land(`${issuerCookie}; ${cookieName}=${'e'.repeat(43)}`);
    expect(answer.headers.get('location')).toBe('/');
  });
});
