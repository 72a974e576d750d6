import type {
  Client,
  Realm,
  signInWithPassword as passwordContract,
  signInWithRecoveryCode as recoveryContract,
} from '@gateway/contracts/identity';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { beginAttempt } from '#src/attempts/begin-attempt.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { SignInRefusedError } from '#src/errors.ts';
import { recordRefused } from '#src/history/record.ts';
import { lockActivePerson } from '#src/people/lock-person.ts';
import type { WithPasswords } from '#src/passwords/password-hashes.ts';
import { useRecoveryCode } from '#src/passwords/recovery-codes.ts';
import { takeCode } from '#src/passwords/totp.ts';
import { beginSession, untrustedStepUpSec } from '#src/sessions/begin-session.ts';
import { later } from '#src/times.ts';

interface PasswordRow {
  readonly id: string;
  readonly state: string;
  readonly hash: string | null;
  readonly step_up_from: Date | null;
}

/** Every way to a refusal has taken one password hash. */
export async function signInWithPassword(
  dependencies: WithPasswords,
  { realm, name, password, code, client }: PayloadOf<{ payload: typeof passwordContract.request }>,
): Promise<ReplyOf<typeof passwordContract>> {
  const { database, now } = dependencies;
  const attempt = await beginAttempt(database, { realm, address: client.address, name }, now());
  const [person] = await database.query<PasswordRow>(
    `select p.id, p.state, w.hash, w.step_up_from from person p
     left join password w on w.realm = p.realm and w.person_id = p.id where p.realm = $1 and p.name = $2`,
    [realm, name],
  );
  const fits = await dependencies.passwords.fits(password, person?.hash ?? undefined);
  const entry = { realm, name, what: 'sign_in.password', client };
  if (!person?.step_up_from || !fits || person.state !== 'ACTIVE') {
    const detail = !person ? 'unknown_name' : fits ? 'not_active' : 'wrong_password';
    await recordRefused(database, { ...entry, personId: person?.id ?? null, detail }, now());
    throw new SignInRefusedError();
  }
  const { id: personId, step_up_from: stepUpFrom, hash } = person;
  const refused = async (detail: string) => {
    await recordRefused(database, { ...entry, personId, detail }, now());
    return new SignInRefusedError();
  };
  if (!(await takeCode(database, dependencies.box, { realm, personId, code, now: now() })))
    throw await refused('wrong_code');
  const signedIn = await database.transaction(async (tx) => {
    if (!(await lockActivePerson(tx, realm, personId))) return 'not_active';
    // It was hashed and compared for a tenth of a second and more, in which it may have been replaced.
    const [same] = await tx.sql('select from password where realm = $1 and person_id = $2 and hash = $3', [
      realm,
      personId,
      hash,
    ]);
    if (!same) return 'password_replaced';
    return await beginSession(tx, dependencies, { realm, personId, factor: 'password', stepUpFrom, client });
  });
  if (typeof signedIn === 'string') throw await refused(signedIn);
  await attempt.succeeded();
  return signedIn;
}

export async function signInWithRecoveryCode(
  dependencies: Dependencies,
  { realm, name, code, client }: PayloadOf<{ payload: typeof recoveryContract.request }>,
): Promise<ReplyOf<typeof recoveryContract>> {
  const { database, now } = dependencies;
  const attempt = await beginAttempt(database, { realm, address: client.address, name }, now());
  const stepUpFrom = later(now(), untrustedStepUpSec);
  const signedIn = await database.transaction(async (tx) => {
    const personId = await useRecoveryCode(tx, { realm, name, code, at: now() });
    if (personId === null) return null;
    return await beginSession(tx, dependencies, { realm, personId, factor: 'recovery_code', stepUpFrom, client });
  });
  if (!signedIn) {
    const entry = { realm, personId: null, name, what: 'sign_in.recovery_code', detail: 'wrong_code', client };
    await recordRefused(database, entry, now());
    throw new SignInRefusedError();
  }
  await attempt.succeeded();
  return signedIn;
}

/**
 * Password and code of a person who is signed in, counted as a sign-in is.
 * @throws TooManyAttemptsError RATE_LIMITED
 */
export async function passwordAndCodeFit(
  dependencies: WithPasswords,
  given: { realm: Realm; personId: string; name: string; password: string; code: string; client: Client },
): Promise<{ readonly stepUpFrom: Date } | null> {
  const { database, box, passwords, now } = dependencies;
  const { realm, personId, name, password, code, client } = given;
  const attempt = await beginAttempt(database, { realm, address: client.address, name }, now());
  const [row] = await database.query<{ readonly hash: string; readonly step_up_from: Date }>(
    'select hash, step_up_from from password where realm = $1 and person_id = $2',
    [realm, personId],
  );
  if (!(await passwords.fits(password, row?.hash)) || !row) return null;
  if (!(await takeCode(database, box, { realm, personId, code, now: now() }))) return null;
  await attempt.succeeded();
  return { stepUpFrom: row.step_up_from };
}
