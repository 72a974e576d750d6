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
import type { WithPasswords } from '#src/passwords/password-hashes.ts';
import { useRecoveryCode } from '#src/passwords/recovery-codes.ts';
import { takeCode } from '#src/passwords/totp.ts';
import { beginSession } from '#src/sessions/begin-session.ts';
import { later } from '#src/times.ts';

/** What a stolen recovery code lets enrol is of no use for money before the person had time to notice. */
const recoveryStepUpSec = 86_400;

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
  const { id: personId, step_up_from: stepUpFrom } = person;
  if (!(await takeCode(database, dependencies.box, { realm, personId, code, now: now() }))) {
    await recordRefused(database, { ...entry, personId, detail: 'wrong_code' }, now());
    throw new SignInRefusedError();
  }
  const signedIn = await database.transaction((tx) =>
    beginSession(tx, dependencies, { realm, personId, factor: 'password', stepUpFrom, client }),
  );
  await attempt.succeeded();
  return signedIn;
}

export async function signInWithRecoveryCode(
  dependencies: Dependencies,
  { realm, name, code, client }: PayloadOf<{ payload: typeof recoveryContract.request }>,
): Promise<ReplyOf<typeof recoveryContract>> {
  const { database, now } = dependencies;
  const attempt = await beginAttempt(database, { realm, address: client.address, name }, now());
  const personId = await useRecoveryCode(database, { realm, name, code, at: now() });
  if (personId === null) {
    const entry = { realm, personId: null, name, what: 'sign_in.recovery_code', detail: 'wrong_code', client };
    await recordRefused(database, entry, now());
    throw new SignInRefusedError();
  }
  const stepUpFrom = later(now(), recoveryStepUpSec);
  const signedIn = await database.transaction((tx) =>
    beginSession(tx, dependencies, { realm, personId, factor: 'recovery_code', stepUpFrom, client }),
  );
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
