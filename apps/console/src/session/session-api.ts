import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import type { Environment } from '#src/generated/types.gen.ts';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { consoleFetch, type StepUp } from '#src/session/console-fetch.ts';
import type { Session } from '#src/session/session.tsx';

interface SessionAnswer {
  readonly session: Session;
}

interface Challenge<Options> {
  readonly challenge_id: string;
  readonly options: Options;
}

/** Name, password and the code of the moment, in one request: there is no answer to a password alone. */
export interface PasswordAndCode {
  readonly name: string;
  readonly password: string;
  readonly code: string;
}

export interface Passkey {
  readonly id: string;
  readonly label: string;
  /** Unix seconds. */
  readonly created_at: number;
  readonly last_used_at: number | null;
}

/** Where what a person signs in with is kept. */
export const credentialsKey = ['credentials'] as const;

/** Where the person is signed in. */
export interface OwnSession {
  readonly id: string;
  readonly is_current: boolean;
  readonly address: string;
  readonly user_agent: string;
  /** Unix seconds. */
  readonly last_seen_at: number;
}

/** What a person signs in with. */
export interface Credentials {
  readonly data: readonly Passkey[];
  readonly has_password: boolean;
  readonly recovery_codes_left: number;
  /** Who the person is at the issuer of this console; null where it is bound to no subject. */
  readonly issuer_subject: string | null;
}

/** Times in Unix seconds. */
interface OwnRecovery {
  readonly id: string;
  readonly name: string;
  /** From when on it can be reset. */
  readonly from: number;
  /** Null before it was; a gateway of an earlier version lists none after it. */
  readonly reset_at?: number | null;
}

/** An account as those see it who belong to it. */
export interface OwnAccount {
  readonly id: string;
  readonly name: string;
  /** What an operator has stopped, by environment; those are there that the person works in. */
  readonly frozen: Readonly<Partial<Record<Environment, { readonly level: 'payouts' | 'writes' } | null>>>;
  /** Whose sign-in operators propose to reset, or have reset lately; a gateway of an earlier version does not say. */
  readonly recoveries?: readonly OwnRecovery[];
}

/** An open invitation, as its link shows it. */
export interface Invitation {
  readonly name: string;
  readonly state: 'OPEN' | 'ACCEPTED' | 'CONFIRMED';
}

/** What enrolling answers. The recovery codes are shown this once. */
export interface Enrolled {
  readonly invitation: Invitation;
  readonly recovery_codes: readonly string[];
}

/**
 * @param isBackground whether the page asks by itself, which keeps no session alive
 * @throws Refusal AUTH_REQUIRED or SESSION_ENDED without a session
 */
export async function readSession(isBackground = false): Promise<Session> {
  return (await ask<SessionAnswer>('GET', '/session', undefined, isBackground)).session;
}

/** The accounts of the person who is signed in, with what an operator has stopped in them. */
export async function readOwnAccounts(isAgain: boolean): Promise<readonly OwnAccount[]> {
  return (await ask<{ readonly data: readonly OwnAccount[] }>('GET', '/accounts', undefined, isAgain)).data;
}

/** By a passkey of this device or of one nearby; the browser asks which. */
export async function signInByPasskey(): Promise<Session> {
  const { challenge_id, options } = await ask<Challenge<PublicKeyCredentialRequestOptionsJSON>>(
    'POST',
    '/session/passkey/begin',
  );
  const answer = await startAuthentication({ optionsJSON: options });
  return (await ask<SessionAnswer>('POST', '/session/passkey', { challenge_id, answer })).session;
}

/** By one of the codes that were shown at enrolment. Such a session confirms nothing. */
export async function signInByRecoveryCode(typed: { readonly name: string; readonly code: string }): Promise<Session> {
  return (await ask<SessionAnswer>('POST', '/session/recovery', typed)).session;
}

export async function signInByPassword(typed: PasswordAndCode): Promise<Session> {
  return (await ask<SessionAnswer>('POST', '/session/password', typed)).session;
}

/** The issuer at which people may sign in too; null where none is configured. */
export async function readIssuer(): Promise<{ readonly name: string } | null> {
  return (await ask<{ readonly issuer: { readonly name: string } | null }>('GET', '/session/issuer')).issuer;
}

/** Where to go to sign in at the issuer, or, with the secret of a link, to enrol as who one is there. */
export async function issuerAddress(invitation?: string): Promise<string> {
  const body = invitation === undefined ? {} : { invitation };
  return (await ask<{ readonly url: string }>('POST', '/session/issuer', body)).url;
}

/** By a link that a developer's machine printed. Its secret stands in the fragment, which is sent to no server. */
export async function signInByLink(token: string): Promise<Session> {
  return (await ask<SessionAnswer>('POST', '/session/link', { token })).session;
}

export async function signOut(): Promise<void> {
  await ask('DELETE', '/session');
}

export async function readCredentials(): Promise<Credentials> {
  return await ask<Credentials>('GET', '/passkeys');
}

/** @throws Refusal STEP_UP_REQUIRED in a session that is older than five minutes, as of every change of credentials */
export async function removePasskey(id: string): Promise<void> {
  await ask('DELETE', `/passkeys/${id}`);
}

export async function makeRecoveryCodes(): Promise<readonly string[]> {
  return (await ask<{ readonly codes: readonly string[] }>('POST', '/recovery-codes', {})).codes;
}

/** A secret for an authenticator, of which the password is set with a code. */
export async function beginPassword(): Promise<{ readonly challenge_id: string; readonly secret: string }> {
  return await ask('POST', '/password/begin', {});
}

export async function setPassword(typed: {
  readonly challenge_id: string;
  readonly password: string;
  readonly code: string;
}): Promise<void> {
  await ask('PUT', '/password', typed);
}

export async function readOwnSessions(): Promise<readonly OwnSession[]> {
  return (await ask<{ readonly data: readonly OwnSession[] }>('GET', '/sessions')).data;
}

/** @returns how many there were */
export async function endOtherSessions(): Promise<number> {
  return (await ask<{ readonly ended: number }>('DELETE', '/sessions')).ended;
}

export async function addPasskey(label: string): Promise<void> {
  const { challenge_id, options } = await ask<Challenge<PublicKeyCredentialCreationOptionsJSON>>(
    'POST',
    '/passkeys/begin',
  );
  const answer = await startRegistration({ optionsJSON: options });
  await ask('POST', '/passkeys', { challenge_id, answer, label });
}

/** @throws Refusal NOT_FOUND for a link that is no invitation, was used, or is too old */
export async function readInvitation(token: string): Promise<Invitation> {
  return (await ask<{ readonly invitation: Invitation }>('POST', '/invitations/read', { token })).invitation;
}

interface Enrolling {
  readonly token: string;
  readonly label: string;
  /** Of a sign-in at the issuer just before. */
  readonly binding: string | undefined;
}

/** Enrols by a passkey; the link is used up. */
export async function acceptInvitation({ token, label, binding }: Enrolling): Promise<Enrolled> {
  const { challenge_id, options } = await ask<Challenge<PublicKeyCredentialCreationOptionsJSON>>(
    'POST',
    '/invitations/passkey',
    { token },
  );
  const answer = await startRegistration({ optionsJSON: options });
  const bound = binding === undefined ? {} : { binding_id: binding };
  const body = { token, challenge_id, ...bound, credential: { kind: 'passkey', answer, label } };
  return await ask<Enrolled>('POST', '/invitations/accept', body);
}

/** What goes into `X-Step-Up`: which confirmation it is, and the answer to it, as JSON in base64url. */
export async function confirmByPasskey({ id, passkey: options }: StepUp): Promise<string> {
  const passkey = await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
  return headerOf({ stepUpId: id, answer: { kind: 'passkey', passkey } });
}

export function confirmByPassword({ id }: StepUp, { password, code }: Omit<PasswordAndCode, 'name'>): string {
  return headerOf({ stepUpId: id, answer: { kind: 'password', password, code } });
}

function headerOf(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** A session that has ended is the gate's matter here: these are the calls that find it out and end it. */
const send = consoleFetch((input, init) => fetch(input, init), {
  confirm: () => Promise.resolve(undefined),
  ended: () => undefined,
});

async function ask<Body>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  isAgain = false,
): Promise<Body> {
  const answered = async () => {
    const headers = backgroundHeaders(isAgain);
    const init = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
    const response = await send(new URL(path, window.location.origin), init);
    const read = (await response.json().catch(() => ({}))) as Body;
    return response.ok ? { data: read, response } : { error: read, response };
  };
  return await bodyOf<Body>(answered());
}
