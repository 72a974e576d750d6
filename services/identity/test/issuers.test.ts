import { createServer } from 'node:http';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  addPasskey,
  beginIssuerSignIn,
  beginPasskey,
  beginRecovery,
  confirmInvitation,
  getIssuer,
  listCredentials,
  listInvitations,
  listSignIns,
  removePasskey,
  suspendPerson,
} from '@gateway/contracts/identity';
import { DomainError } from '@gateway/contracts/errors';
import { acrOfTwoFactors } from '@gateway/test-kit/issuer';
import { Issuers } from '#src/issuers/issuers.ts';
import { Authenticator } from './authenticator.ts';
import { client, Identity, origins } from './harness.ts';
import { callback, realm, useIssuer } from './issuer-harness.ts';

const at = useIssuer();

describe('a person who was bound to a subject when it was invited', () => {
  test('signs in at the issuer, and is listed as one who did', async () => {
    const carla = await at().bound();
    const signedIn = await at().signIn();
    if (signedIn.outcome !== 'signed_in') throw new Error(signedIn.outcome);
    expect(signedIn.session).toMatchObject({ personId: carla.id, factor: 'issuer', roles: ['treasurer'] });
    expect((await at().identity.resolve(realm, signedIn.token)).session.personId).toBe(carla.id);
    expect((await at().history())[0]).toMatchObject({ what: 'sign_in.issuer', outcome: 'done', personId: carla.id });
    const { subject } = await at().identity.ask(listCredentials, { realm, personId: carla.id });
    expect(subject).toBe(at().issuer.subject);
  });

  test('is not signed in by another subject of the same issuer', async () => {
    await at().bound();
    at().issuer.subject = 'another';
    expect(await at().identity.codeOf(at().signIn())).toBe('SIGN_IN_REFUSED');
    expect(await at().refusal()).toBe('unknown_subject');
  });

  test('is not signed in while it is suspended, nor before the inviter has confirmed it', async () => {
    const { invitation, token } = await at().invite('carla');
    const carla = await at().enrol(token, 'carla', await at().bindingOf(token));
    expect(await at().identity.codeOf(at().signIn())).toBe('SIGN_IN_REFUSED');
    await at().identity.ask(confirmInvitation, { realm, invitationId: invitation.id, by: at().ana.id });
    expect(await at().identity.codeOf(at().signIn())).toBe('answered');
    await at().identity.ask(suspendPerson, { realm, personId: carla.id, by: at().ana.id, reason: 'left' });
    expect(await at().identity.codeOf(at().signIn())).toBe('SIGN_IN_REFUSED');
    expect(await at().refusal()).toBe('not_active');
  });

  test('is asked for its passkey where the issuer does not state that it used several factors', async () => {
    const carla = await at().bound();
    at().issuer.amr = ['pwd'];
    expect(await at().signIn()).toEqual({ outcome: 'passkey_needed' });
    expect((await at().history())[0]).toMatchObject({ what: 'issuer.passkey_needed', personId: carla.id });
    expect((await at().identity.signIn(carla)).session.factor).toBe('passkey');
    at().issuer.acr = acrOfTwoFactors;
    expect(await at().signIn()).toMatchObject({ outcome: 'signed_in' });
  });

  test('loses the subject with its other credentials', async () => {
    const carla = await at().bound();
    await at().identity.ask(beginRecovery, { realm, personId: carla.id, by: at().ana.id, reason: 'lost' });
    expect(await at().identity.codeOf(at().signIn())).toBe('SIGN_IN_REFUSED');
    expect(await at().refusal()).toBe('unknown_subject');
  });
});

describe('a session that an issuer began', () => {
  test('enrols what confirms no operation for a day, and takes no credential away', async () => {
    const carla = await at().bound();
    const signedIn = await at().signIn();
    if (signedIn.outcome !== 'signed_in') throw new Error(signedIn.outcome);
    const { session } = signedIn;
    const holder = { sessionId: session.id };
    const { challengeId, options } = await at().identity.ask(beginPasskey, { realm, holder });
    const answer = new Authenticator(origins[realm]).create(options);
    const made = { realm, sessionId: session.id, challengeId, answer, label: 'of a thief' };
    const { passkey } = await at().identity.ask(addPasskey, made);
    const removed = at().identity.ask(removePasskey, { realm, sessionId: session.id, passkeyId: passkey.id });
    expect(await at().identity.codeOf(removed)).toBe('STEP_UP_REQUIRED');
    const [row] = await at().identity.database.query<{ readonly step_up_from: Date }>(
      'select step_up_from from passkey where person_id = $1 and id = $2',
      [carla.id, passkey.id],
    );
    expect(row?.step_up_from.getTime()).toBeGreaterThan(at().identity.at.getTime() + 86_000_000);
  });
});

describe('a subject', () => {
  test('is shown to the inviter, and is one person’s alone', async () => {
    await at().bound();
    const { invitations } = await at().identity.ask(listInvitations, { realm });
    expect(invitations[0]).toMatchObject({ name: 'carla', subject: at().issuer.subject, passkeyLabel: 'key of carla' });
    const { token } = await at().invite('dora');
    expect(await at().identity.codeOf(at().bindingOf(token))).toBe('INVALID_STATE');
  });

  test('is bound by the browser that signed in there, not by another with the same link', async () => {
    const { token } = await at().invite('carla');
    const { token: of } = await at().invite('dora');
    const bindingId = await at().bindingOf(of);
    expect(await at().identity.codeOf(at().enrol(token, 'carla', bindingId))).toBe('VALIDATION_ERROR');
    await at().bindingOf(token);
    await at().identity.enrol(realm, token, 'carla');
    const rows = await at().identity.database.query('select from issuer_subject');
    expect(rows).toHaveLength(0);
  });
});

describe('an issuer', () => {
  test('is named where one is configured, and asked nowhere else', async () => {
    expect(await at().identity.ask(getIssuer, { realm })).toEqual({ issuer: { name: 'Local Issuer' } });
    expect(await at().identity.ask(getIssuer, { realm: 'merchant' })).toEqual({ issuer: null });
    const request = { realm: 'merchant', invitationDigest: null, client } as const;
    expect(await at().identity.codeOf(at().identity.ask(beginIssuerSignIn, request))).toBe('NOT_FOUND');
  });

  test('is asked for the subject and nothing else', async () => {
    const { searchParams } = new URL((await at().begin()).url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ scope: 'openid', response_type: 'code', code_challenge_method: 'S256', redirect_uri: callback },
      ...{ acr_values: acrOfTwoFactors, nonce: expect.any(String) as string, state: expect.any(String) as string },
    });
  });

  test('that is down is an error with its name, and in the history', async () => {
    const down = createServer((_request, response) => response.writeHead(502).end());
    down.listen(0, '127.0.0.1');
    await once(down, 'listening');
    const { port } = down.address() as { readonly port: number };
    const elsewhere = { ...at().settings, name: 'Down', url: `http://127.0.0.1:${port}` };
    await using other = await Identity.open({ operator: elsewhere, merchant: null });
    const asked = () => other.ask(beginIssuerSignIn, { realm, invitationDigest: null, client });
    const failing = await asked().catch((error: unknown) => error);
    expect(failing).toBeInstanceOf(DomainError);
    expect(failing).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('Down') as string });
    await new Promise((closed) => down.close(closed));
    expect(await other.codeOf(asked())).toBe('SERVICE_UNAVAILABLE');
    const { signIns } = await other.ask(listSignIns, { realm, limit: 5 });
    expect(signIns.map(({ detail }) => detail)).toEqual([
      'unavailable: unreachable',
      expect.stringMatching(/^unavailable: answer: OAUTH_/),
    ]);
  });

  test('that is down when the answer comes is no refusal', async () => {
    await at().bound();
    const away = { ...at().settings, url: 'http://127.0.0.1:1' };
    const request = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) };
    const asked = new Issuers({ operator: away, merchant: null }).namedIn(away, realm, request, 'code=c&state=s');
    await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
