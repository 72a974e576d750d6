import type {
  beginTotp as beginContract,
  createRecoveryCodes as codesContract,
  Realm,
  setPassword as setContract,
} from '@gateway/contracts/identity';
import { ValidationError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { queriesIn, type Tx } from '@gateway/persistence';
import { enrollingInSession, enrollingOf, type Enrolling, lockHolder } from '#src/credentials/holder.ts';
import { changeTrusted } from '#src/credentials/passkeys.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { StepUpRequiredError } from '#src/errors.ts';
import { recordDone } from '#src/history/record.ts';
import { keepChallenge, takeChallenge } from '#src/passkeys/challenges.ts';
import { replaceRecoveryCodes } from '#src/passwords/recovery-codes.ts';
import { newTotpSecret, setTotp, stepOfCode } from '#src/passwords/totp.ts';
import { endSessionsOf } from '#src/sessions/end-sessions.ts';
import type { WithPasswords } from '#src/passwords/password-hashes.ts';

export async function beginTotp(
  dependencies: Dependencies,
  { realm, holder }: PayloadOf<{ payload: typeof beginContract.request }>,
): Promise<ReplyOf<typeof beginContract>> {
  const enrolling = await enrollingOf(dependencies, realm, holder);
  const { secret, uri } = newTotpSecret(enrolling.name);
  const challenge = { realm, kind: 'totp', holder: enrolling.holder } as const;
  return { challengeId: await keepChallenge(dependencies, challenge, secret), secret, uri };
}

/** A password that was typed, with a code of the secret that was shown before. */
export interface Typed {
  readonly challengeId: string;
  readonly password: string;
  readonly code: string;
}

/**
 * Checks the code and hashes the password before the transaction that keeps both.
 * @throws ValidationError when the code does not fit the secret
 */
export async function verifyNewPassword(
  dependencies: WithPasswords,
  realm: Realm,
  enrolling: Enrolling,
  { challengeId, password, code }: Typed,
): Promise<(tx: Tx) => Promise<void>> {
  const { box, now, passwords } = dependencies;
  const kept = { realm, kind: 'totp', holder: enrolling.holder } as const;
  const secret = await takeChallenge(dependencies, kept, challengeId);
  const step = secret === null ? null : await stepOfCode(secret, code, now());
  if (secret === null || step === null) {
    throw new ValidationError([{ path: 'code', message: 'does not fit the secret: begin again' }]);
  }
  const hash = await passwords.make(password);
  const { personId, stepUpFrom } = enrolling;
  return async (tx) => {
    await tx.sql(
      `insert into password (realm, person_id, hash, step_up_from, created_at) values ($1, $2, $3, $4, $5)
       on conflict (realm, person_id) do update
         set hash = excluded.hash, step_up_from = excluded.step_up_from, created_at = excluded.created_at`,
      [realm, personId, hash, stepUpFrom, now()],
    );
    await setTotp(queriesIn(tx), box, { realm, personId, secret, step });
  };
}

/**
 * @throws StepUpRequiredError in a session by recovery code when the person has a password already: such a session adds a way
 *   to sign in and takes none away, it may be stolen
 */
export async function setPassword(
  dependencies: WithPasswords,
  { realm, sessionId, ...typed }: PayloadOf<{ payload: typeof setContract.request }>,
): Promise<ReplyOf<typeof setContract>> {
  const { database, now } = dependencies;
  const enrolling = await enrollingInSession(dependencies, realm, sessionId);
  const keep = await verifyNewPassword(dependencies, realm, enrolling, typed);
  const { personId, stepUpFrom } = enrolling;
  await database.transaction(async (tx) => {
    const at = now();
    await lockHolder(tx, realm, enrolling, at);
    const isTrusted = stepUpFrom <= at;
    if (!isTrusted) await requireNoPassword(tx, realm, personId);
    await keep(tx);
    if (isTrusted) await endSessionsOf(tx, dependencies, { realm, personId, except: sessionId, at });
    await recordDone(tx, { realm, personId, what: 'password.set' }, now());
  });
  return {};
}

async function requireNoPassword(tx: Tx, realm: Realm, personId: string): Promise<void> {
  const [known] = await tx.sql('select from password where realm = $1 and person_id = $2', [realm, personId]);
  if (known) throw new StepUpRequiredError('sign in by passkey, or by the password, to set another one');
}

export async function createRecoveryCodes(
  dependencies: Dependencies,
  { realm, sessionId }: PayloadOf<{ payload: typeof codesContract.request }>,
): Promise<ReplyOf<typeof codesContract>> {
  return await changeTrusted(dependencies, realm, sessionId, async (tx, personId, at) => {
    const codes = await replaceRecoveryCodes(tx, realm, personId);
    await recordDone(tx, { realm, personId, what: 'recovery_codes.created' }, at);
    return { codes };
  });
}
