import { describe, expect, test } from 'vitest';
import { finishIssuerSignIn } from '@gateway/contracts/identity';
import { issuerClient, newSigningKey } from '@gateway/test-kit/issuer';
import { client, digestOf } from './harness.ts';
import { useIssuer } from './issuer-harness.ts';

const at = useIssuer();

describe('an answer of an issuer', () => {
  test('is used up by the first that brings it, of two at once too', async () => {
    await at().bound();
    const { url, token } = await at().begin();
    const answer = await at().issuer.visit(url);
    const codes = await Promise.all([1, 2].map(() => at().identity.codeOf(at().finish(token, answer))));
    expect(codes.toSorted()).toEqual(['SIGN_IN_REFUSED', 'answered']);
    expect(await at().identity.codeOf(at().finish(token, answer))).toBe('SIGN_IN_REFUSED');
    expect(await at().refusal()).toBe('request_not_open');
    const again = await at().begin();
    const replayed = new URLSearchParams(answer);
    replayed.set('state', new URL(again.url).searchParams.get('state') ?? '');
    expect(await at().identity.codeOf(at().finish(again.token, replayed.toString()))).toBe('SIGN_IN_REFUSED');
  });

  test.each([
    ['another state', 'state', 'A state that was not sent'],
    ['another issuer', 'iss', 'https://evil.example'],
    ['another code', 'code', 'a code that was not issued'],
  ])('with %s opens nothing', async (_what, name, value) => {
    await at().bound();
    const { url, token } = await at().begin();
    const answer = new URLSearchParams(await at().issuer.visit(url));
    answer.set(name, value);
    expect(await at().identity.codeOf(at().finish(token, answer.toString()))).toBe('SIGN_IN_REFUSED');
    expect(await at().signedIn()).toBe(0);
  });

  test.each([
    ['another nonce', 'nonce', 'a nonce that was not kept'],
    ['another challenge of PKCE', 'code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  ])('that was asked for with %s opens nothing', async (_what, name, value) => {
    await at().bound();
    const { url, token } = await at().begin();
    const asked = new URL(url);
    asked.searchParams.set(name, value);
    expect(await at().identity.codeOf(at().finish(token, await at().issuer.visit(asked.href)))).toBe('SIGN_IN_REFUSED');
  });

  test.each([
    ['for another client', { aud: 'another client' }],
    ['for several clients, of which another was to have it', { aud: [issuerClient.id, 'b'], azp: 'b' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['with the nonce of another sign-in', { nonce: 'of another sign-in' }],
    ['whose time is up', { exp: 1_700_000_000 }],
    ['that is about no person', { sub: undefined }],
  ])('with a token %s opens nothing', async (_what, claims) => {
    await at().bound();
    at().issuer.forged = claims;
    expect(await at().identity.codeOf(at().signIn())).toBe('SIGN_IN_REFUSED');
    expect(await at().refusal()).toMatch(/^answer: OAUTH_/);
  });

  test('with a token that another key has signed opens nothing', async () => {
    await at().bound();
    at().issuer.strangeKey = newSigningKey();
    expect(await at().identity.codeOf(at().signIn())).not.toBe('answered');
    expect(await at().signedIn()).toBe(0);
  });

  test('that has the e-mail address and the name of a person signs in by neither', async () => {
    const carla = await at().bound();
    at().issuer.subject = 'another';
    at().issuer.forged = { email: carla.name, email_verified: true, preferred_username: carla.name, name: carla.name };
    expect(await at().identity.codeOf(at().signIn())).toBe('SIGN_IN_REFUSED');
    expect(await at().refusal()).toBe('unknown_subject');
  });

  test('opens nothing in another browser, in the other realm, or after ten minutes', async () => {
    await at().bound();
    const { url, token } = await at().begin();
    const other = await at().begin();
    const answer = await at().issuer.visit(url);
    expect(await at().identity.codeOf(at().finish(other.token, answer))).toBe('SIGN_IN_REFUSED');
    at().identity.pass(601);
    expect(await at().identity.codeOf(at().finish(token, answer))).toBe('SIGN_IN_REFUSED');
    expect(await at().refusal()).toBe('request_not_open');
    const request = { realm: 'merchant', tokenDigest: digestOf(token), answer, client } as const;
    expect(await at().identity.codeOf(at().identity.ask(finishIssuerSignIn, request))).toBe('NOT_FOUND');
  });
});
