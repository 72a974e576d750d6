import type { beginSignIn as beginContract, finishSignIn as finishContract } from '@gateway/contracts/identity';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { beginAttempt, spendChallenge } from '#src/attempts/begin-attempt.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { SignInRefusedError } from '#src/errors.ts';
import { recordRefused } from '#src/history/record.ts';
import { lockActivePerson } from '#src/people/lock-person.ts';
import { keepChallenge, takeChallenge } from '#src/passkeys/challenges.ts';
import { findPasskey, passkeyUsed } from '#src/passkeys/use-passkey.ts';
import { authenticationOptions, verifiedAuthentication } from '#src/passkeys/web-authn.ts';
import { beginSession } from '#src/sessions/begin-session.ts';

const ofSignIn = { kind: 'sign_in', holder: null } as const;

export async function beginSignIn(
  dependencies: Dependencies,
  { realm, client }: PayloadOf<{ payload: typeof beginContract.request }>,
): Promise<ReplyOf<typeof beginContract>> {
  await spendChallenge(dependencies.database, { realm, address: client.address }, dependencies.now());
  const options = await authenticationOptions(dependencies, { realm });
  const challengeId = await keepChallenge(dependencies, { realm, ...ofSignIn }, options.challenge);
  return { challengeId, options };
}

/** The name's attempts play no part: whose password is being guessed can still sign in by passkey. */
export async function finishSignIn(
  dependencies: Dependencies,
  { realm, challengeId, answer, client }: PayloadOf<{ payload: typeof finishContract.request }>,
): Promise<ReplyOf<typeof finishContract>> {
  const { database, now } = dependencies;
  const attempt = await beginAttempt(database, { realm, address: client.address }, now());
  const refused = async (detail: string, personId: string | null = null) => {
    await recordRefused(database, { realm, personId, what: 'sign_in.passkey', detail, client }, now());
    return new SignInRefusedError();
  };
  const challenge = await takeChallenge(dependencies, { realm, ...ofSignIn }, challengeId);
  if (challenge === null) throw await refused('challenge_not_open');
  const passkey = await findPasskey(database, realm, answer);
  if (!passkey) throw await refused('unknown_passkey');
  const counter = await verifiedAuthentication(dependencies, { realm, challenge, answer, passkey });
  if (counter === null) throw await refused('wrong_answer', passkey.person_id);
  const { person_id: personId, step_up_from: stepUpFrom } = passkey;
  const signedIn = await database.transaction(async (tx) => {
    if (!(await lockActivePerson(tx, realm, personId))) return 'not_active';
    if (!(await passkeyUsed(tx, { realm, passkey, counter, at: now() }))) return 'counter_used';
    return await beginSession(tx, dependencies, { realm, personId, factor: 'passkey', stepUpFrom, client });
  });
  if (typeof signedIn === 'string') throw await refused(signedIn, personId);
  await attempt.succeeded();
  return signedIn;
}
