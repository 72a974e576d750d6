import { createHash, randomBytes } from 'node:crypto';
import type { beginStepUp as beginContract, Session, useStepUp as useContract } from '@gateway/contracts/identity';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { unixSeconds } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import { queriesIn } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { SessionEndedError, StepUpRequiredError } from '#src/errors.ts';
import { recordDone, recordRefused } from '#src/history/record.ts';
import { challengeLifeSec } from '#src/passkeys/challenges.ts';
import type { PasskeyRow } from '#src/passkeys/passkey-row.ts';
import { findPasskey, passkeyUsed } from '#src/passkeys/use-passkey.ts';
import { authenticationOptions, verifiedAuthentication } from '#src/passkeys/web-authn.ts';
import { readSession } from '#src/sessions/read-session.ts';
import { replaceToken } from '#src/sessions/resolve-session.ts';
import type { WithPasswords } from '#src/passwords/password-hashes.ts';
import { passwordAndCodeFit } from '#src/signing-in/with-password.ts';
import { later } from '#src/times.ts';

type Confirmed = PayloadOf<{ payload: typeof beginContract.request }>;
type Use = PayloadOf<{ payload: typeof useContract.request }>;

const nonceBytes = 32;

/** Asks the person of a session to confirm one operation, with one body, on one target. */
export async function beginStepUp(
  dependencies: Dependencies,
  confirmed: Confirmed,
): Promise<ReplyOf<typeof beginContract>> {
  const { database, config, now } = dependencies;
  const { realm, sessionId } = confirmed;
  const at = now();
  const { personId } = await readSession(database, { realm, sessionId, at }, config);
  const passkeys = await database.query<PasskeyRow>(
    'select * from passkey where realm = $1 and person_id = $2 and step_up_from <= $3 order by id',
    [realm, personId, at],
  );
  const [password] = await database.query(
    'select 1 from password where realm = $1 and person_id = $2 and step_up_from <= $3',
    [realm, personId, at],
  );
  const [nonce, stepUpId, endsAt] = [randomBytes(nonceBytes), newId('stepUp'), later(at, challengeLifeSec)];
  const digest = digestOfConfirmed(confirmed, personId, nonce);
  await database.query(
    'insert into step_up (realm, id, session_id, nonce, digest, ends_at) values ($1, $2, $3, $4, $5, $6)',
    [realm, stepUpId, sessionId, nonce, digest, endsAt],
  );
  const asked = passkeys.length > 0;
  const options = asked
    ? await authenticationOptions(dependencies, { realm, challenge: digest, allowed: passkeys })
    : null;
  // Nothing binds a typed code to the operation but this row, so it is for who has nothing better.
  return { stepUpId, options, password: !asked && password !== undefined, endsAt: unixSeconds(endsAt) };
}

/** Whatever is answered uses the confirmation up, before the answer is looked at. */
export async function useStepUp(dependencies: WithPasswords, use: Use): Promise<ReplyOf<typeof useContract>> {
  const { database, config, now } = dependencies;
  const { realm, sessionId, operation, client } = use;
  const at = now();
  const [row] = await database.query<{ readonly nonce: Buffer; readonly digest: Buffer; readonly ends_at: Date }>(
    'delete from step_up where realm = $1 and id = $2 and session_id = $3 returning nonce, digest, ends_at',
    [realm, use.stepUpId, sessionId],
  );
  const session = await readSession(database, { realm, sessionId, at }, config);
  const { personId, personName: name } = session;
  const refused = async (detail: string) => {
    const what = `step_up.${use.answer.kind}`;
    await recordRefused(database, { realm, personId, name, what, detail: `${operation}: ${detail}`, client }, now());
    return new StepUpRequiredError('the operation is not confirmed');
  };
  if (!row || row.ends_at <= at) throw await refused('not_open');
  if (!digestOfConfirmed(use, personId, row.nonce).equals(row.digest)) throw await refused('another_operation');
  const fault = await faultOf(dependencies, { use, session, challenge: row.digest, at });
  if (fault !== null) throw await refused(fault);
  return await database.transaction(async (tx) => {
    const rotatedToken = await replaceToken(queriesIn(tx), { realm, sessionId, at });
    if (rotatedToken === null) throw new SessionEndedError();
    const what = `step_up.${use.answer.kind}`;
    await recordDone(tx, { realm, personId, name, what, detail: `${operation} ${use.target}`, client }, at);
    return { rotatedToken };
  });
}

interface Answered {
  readonly use: Use;
  readonly session: Session;
  readonly challenge: Buffer;
  readonly at: Date;
}

/** Why the answer is not the confirmation of the session's person; null when it is. */
async function faultOf(dependencies: WithPasswords, answered: Answered): Promise<string | null> {
  const { use, session, at } = answered;
  if (use.answer.kind === 'passkey') return await faultOfPasskey(dependencies, answered, use.answer.passkey);
  const { realm, personId, personName: name } = session;
  const [trusted] = await dependencies.database.query(
    'select 1 from passkey where realm = $1 and person_id = $2 and step_up_from <= $3 limit 1',
    [realm, personId, at],
  );
  if (trusted) return 'has_passkey';
  const { password, code } = use.answer;
  const fits = await passwordAndCodeFit(dependencies, { realm, personId, name, password, code, client: use.client });
  if (!fits) return 'wrong_password_or_code';
  return fits.stepUpFrom > at ? 'enrolled_too_recently' : null;
}

async function faultOfPasskey(
  dependencies: Dependencies,
  { session: { realm, personId }, challenge, at }: Answered,
  answer: Extract<Use['answer'], { readonly kind: 'passkey' }>['passkey'],
): Promise<string | null> {
  const { database } = dependencies;
  const passkey = await findPasskey(database, realm, answer);
  if (passkey?.person_id !== personId) return 'passkey_of_another';
  if (passkey.step_up_from > at) return 'enrolled_too_recently';
  const given = { realm, challenge: challenge.toString('base64url'), answer, passkey };
  const counter = await verifiedAuthentication(dependencies, given);
  if (counter === null) return 'wrong_answer';
  const used = await database.transaction((tx) => passkeyUsed(tx, { realm, passkey, counter, at }));
  return used ? null : 'counter_used';
}

/** Each part with its length: no two operations have one text. */
function digestOfConfirmed(confirmed: Confirmed, personId: string, nonce: Buffer): Buffer {
  const { realm, sessionId, operation, target, bodyDigest } = confirmed;
  const text = JSON.stringify([realm, sessionId, personId, operation, target, bodyDigest]);
  return createHash('sha256').update(nonce).update(text).digest();
}
