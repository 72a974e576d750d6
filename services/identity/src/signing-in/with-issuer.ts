import type {
  beginIssuerSignIn as beginContract,
  Client,
  finishIssuerSignIn as finishContract,
  getIssuer as getContract,
  Realm,
} from '@gateway/contracts/identity';
import { NotFoundError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { queriesIn } from '@gateway/persistence';
import { beginAttempt, spendChallenge } from '#src/attempts/begin-attempt.ts';
import type { IssuerSettings } from '#src/config.ts';
import { IssuerUnavailableError, SignInRefusedError } from '#src/errors.ts';
import { recordDone, recordRefused } from '#src/history/record.ts';
import { keepIssuerRequest, newIssuerRequest, takeIssuerRequest } from '#src/issuers/issuer-requests.ts';
import type { Issuers, Named, WithIssuers } from '#src/issuers/issuers.ts';
import { readOpenInvitation } from '#src/people/invitation-row.ts';
import { lockActivePerson } from '#src/people/lock-person.ts';
import { personOfSubject } from '#src/people/subjects.ts';
import { beginSession, untrustedStepUpSec } from '#src/sessions/begin-session.ts';
import { keepBinding } from '#src/signing-in/bind-invitation.ts';
import { later } from '#src/times.ts';

const what = 'sign_in.issuer';

export function getIssuer(
  { issuers }: Pick<WithIssuers, 'issuers'>,
  { realm }: PayloadOf<{ payload: typeof getContract.request }>,
): Promise<ReplyOf<typeof getContract>> {
  const settings = issuers.settingsOf(realm);
  return Promise.resolve({ issuer: settings && { name: settings.name } });
}

export async function beginIssuerSignIn(
  dependencies: WithIssuers,
  { realm, invitationDigest, client }: PayloadOf<{ payload: typeof beginContract.request }>,
): Promise<ReplyOf<typeof beginContract>> {
  const { database, issuers, now } = dependencies;
  const settings = configured(issuers, realm);
  // What was asked is a row, as a challenge is; whose attempts are used up gets no more of them either.
  await spendChallenge(database, { realm, address: client.address }, now());
  const attempt = await beginAttempt(database, { realm, address: client.address }, now());
  const at = now();
  const invitation =
    invitationDigest === null ? null : await readOpenInvitation(database, { realm, tokenDigest: invitationDigest }, at);
  await attempt.succeeded();
  const request = newIssuerRequest();
  const url = await recordingOutage(dependencies, { realm, client }, () =>
    issuers.addressFor(settings, realm, request),
  );
  const token = await keepIssuerRequest(dependencies, { realm, invitationId: invitation?.id ?? null }, request);
  return { url, token };
}

/** Whatever comes of it, the answer is used up before it is looked at. */
export async function finishIssuerSignIn(
  dependencies: WithIssuers,
  { realm, tokenDigest, answer, client }: PayloadOf<{ payload: typeof finishContract.request }>,
): Promise<ReplyOf<typeof finishContract>> {
  const { database, issuers, now } = dependencies;
  const settings = configured(issuers, realm);
  const attempt = await beginAttempt(database, { realm, address: client.address }, now());
  const refused = async (detail: string, personId: string | null = null) => {
    await recordRefused(database, { realm, personId, what, detail, client }, now());
    return new SignInRefusedError();
  };
  const taken = await takeIssuerRequest(dependencies, realm, tokenDigest);
  if (taken === null) throw await refused('request_not_open');
  const named = await recordingOutage(dependencies, { realm, client }, () =>
    issuers.namedIn(settings, realm, taken.request, answer),
  );
  if (typeof named === 'string') throw await refused(named);
  if (taken.invitationId !== null) {
    const bindingId = await keepBinding(dependencies, { realm, invitationId: taken.invitationId }, named);
    await attempt.succeeded();
    return { outcome: 'bound', bindingId };
  }
  const reply = await signInNamed(dependencies, { realm, client }, named);
  if ('refusal' in reply) throw await refused(reply.refusal, reply.personId);
  await attempt.succeeded();
  return reply;
}

interface Asking {
  readonly realm: Realm;
  readonly client: Client;
}

type SignedIn = ReplyOf<typeof finishContract> | { readonly refusal: string; readonly personId: string | null };

/**
 * The person of the subject, and never of an e-mail address: that can be given to another. What is enrolled in the session
 * waits, as after a recovery code: an account at the issuer that was taken over confirms nothing by a passkey of its own.
 */
async function signInNamed(dependencies: WithIssuers, { realm, client }: Asking, named: Named): Promise<SignedIn> {
  const { database, now } = dependencies;
  return await database.transaction(async (tx): Promise<SignedIn> => {
    const personId = await personOfSubject(queriesIn(tx), realm, named);
    if (personId === null) return { refusal: 'unknown_subject', personId };
    if (!(await lockActivePerson(tx, realm, personId))) return { refusal: 'not_active', personId };
    // It may have been taken away while the lock was waited for.
    if ((await personOfSubject(queriesIn(tx), realm, named)) !== personId) return { refusal: 'unbound', personId };
    const at = now();
    if (!named.isMultiFactor) {
      await recordDone(tx, { realm, personId, what: 'issuer.passkey_needed', client }, at);
      return { outcome: 'passkey_needed' };
    }
    const stepUpFrom = later(at, untrustedStepUpSec);
    const begun = await beginSession(tx, dependencies, { realm, personId, factor: 'issuer', stepUpFrom, client });
    return { outcome: 'signed_in', ...begun };
  });
}

/** @throws NotFoundError where the realm has no issuer */
function configured(issuers: Issuers, realm: Realm): IssuerSettings {
  const settings = issuers.settingsOf(realm);
  if (!settings) throw new NotFoundError('issuer');
  return settings;
}

/** An issuer that does not answer is in the history, with what was wrong. */
async function recordingOutage<T>(
  { database, now }: Pick<WithIssuers, 'database' | 'now'>,
  { realm, client }: Asking,
  ask: () => Promise<T>,
): Promise<T> {
  return await ask().catch(async (error: unknown) => {
    if (error instanceof IssuerUnavailableError) {
      await recordRefused(
        database,
        { realm, personId: null, what, detail: `unavailable: ${error.detail}`, client },
        now(),
      );
    }
    throw error;
  });
}
