import type {
  addPasskey as addContract,
  beginPasskey as beginContract,
  listCredentials as listContract,
  Realm,
  RegistrationAnswer,
  removePasskey as removeContract,
} from '@gateway/contracts/identity';
import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { violatedConstraint, type Tx } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { InvalidStateError, StepUpRequiredError } from '#src/errors.ts';
import { enrollingInSession, enrollingOf, type Enrolling, lockHolder } from '#src/credentials/holder.ts';
import { recordDone } from '#src/history/record.ts';
import { keepChallenge, takeChallenge } from '#src/passkeys/challenges.ts';
import { toPasskey, type PasskeyRow } from '#src/passkeys/passkey-row.ts';
import { registrationOptions, verifiedRegistration } from '#src/passkeys/web-authn.ts';
import { endSessionsOf } from '#src/sessions/end-sessions.ts';

const passkeysMax = 10;

export async function listCredentials(
  { database }: Pick<Dependencies, 'database'>,
  { realm, personId }: PayloadOf<{ payload: typeof listContract.request }>,
): Promise<ReplyOf<typeof listContract>> {
  const rows = await database.query<PasskeyRow>(
    'select * from passkey where realm = $1 and person_id = $2 order by id',
    [realm, personId],
  );
  const [other] = await database.query<{
    readonly has_password: boolean;
    readonly codes: number;
    readonly subject: string | null;
  }>(
    `select exists (select from password where realm = $1 and person_id = $2) as has_password,
            (select count(*)::int from recovery_code
             where realm = $1 and person_id = $2 and used_at is null) as codes,
            (select subject from issuer_subject where realm = $1 and person_id = $2) as subject`,
    [realm, personId],
  );
  return {
    passkeys: rows.map(toPasskey),
    hasPassword: other?.has_password ?? false,
    recoveryCodesLeft: other?.codes ?? 0,
    subject: other?.subject ?? null,
  };
}

export async function beginPasskey(
  dependencies: Dependencies,
  { realm, holder }: PayloadOf<{ payload: typeof beginContract.request }>,
): Promise<ReplyOf<typeof beginContract>> {
  const enrolling = await enrollingOf(dependencies, realm, holder);
  const existing = await dependencies.database.query<{ readonly credential_id: Buffer }>(
    'select credential_id from passkey where realm = $1 and person_id = $2',
    [realm, enrolling.personId],
  );
  const options = await registrationOptions(dependencies, {
    realm,
    personId: enrolling.personId,
    name: enrolling.name,
    existing: existing.map(({ credential_id }) => credential_id.toString('base64url')),
  });
  const challenge = { realm, kind: 'passkey', holder: enrolling.holder } as const;
  return { challengeId: await keepChallenge(dependencies, challenge, options.challenge), options };
}

/** What a browser made for a challenge. */
export interface Made {
  readonly challengeId: string;
  readonly answer: RegistrationAnswer;
  readonly label: string;
}

/**
 * Verifies a new passkey before the transaction that keeps it.
 * @throws ValidationError when the answer does not fit
 */
export async function verifyNewPasskey(
  dependencies: Dependencies,
  realm: Realm,
  enrolling: Enrolling,
  { challengeId, answer, label }: Made,
): Promise<(tx: Tx) => Promise<PasskeyRow>> {
  const kept = { realm, kind: 'passkey', holder: enrolling.holder } as const;
  const challenge = await takeChallenge(dependencies, kept, challengeId);
  const verified = challenge === null ? null : await verifiedRegistration(dependencies, { realm, challenge, answer });
  if (!verified) throw new ValidationError([{ path: 'answer', message: 'does not fit the challenge: begin again' }]);
  const { personId, stepUpFrom } = enrolling;
  const { credentialId, publicKey, counter, transports, backedUp } = verified;
  const values = [credentialId, publicKey, counter, transports, backedUp, label, stepUpFrom, dependencies.now()];
  return async (tx) => {
    const [row] = await tx.sql<PasskeyRow>(
      `insert into passkey (realm, id, person_id, credential_id, public_key, counter, transports, backed_up, label,
                            step_up_from, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning *`,
      [realm, newId('passkey'), personId, ...values],
    );
    if (!row) throw new Error('the passkey was not written');
    return row;
  };
}

export async function addPasskey(
  dependencies: Dependencies,
  { realm, sessionId, ...made }: PayloadOf<{ payload: typeof addContract.request }>,
): Promise<ReplyOf<typeof addContract>> {
  const enrolling = await enrollingInSession(dependencies, realm, sessionId);
  const { personId } = enrolling;
  const keep = await verifyNewPasskey(dependencies, realm, enrolling, made);
  const added = dependencies.database.transaction(async (tx) => {
    await lockHolder(tx, realm, enrolling, dependencies.now());
    const [{ count } = { count: 0 }] = await tx.sql<{ readonly count: number }>(
      'select count(*)::int as count from passkey where realm = $1 and person_id = $2',
      [realm, personId],
    );
    if (count >= passkeysMax) throw new DomainError('LIMIT_REACHED', `a person has at most ${passkeysMax} passkeys`);
    const row = await keep(tx);
    await recordDone(tx, { realm, personId, what: 'passkey.added', detail: row.label }, dependencies.now());
    return { passkey: toPasskey(row) };
  });
  return await added.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'passkey_credential_once') throw error;
    throw new ValidationError([{ path: 'answer', message: 'is of a passkey that is known already' }]);
  });
}

export async function removePasskey(
  dependencies: Dependencies,
  { realm, sessionId, passkeyId }: PayloadOf<{ payload: typeof removeContract.request }>,
): Promise<ReplyOf<typeof removeContract>> {
  return await changeTrusted(dependencies, realm, sessionId, async (tx, personId, at) => {
    const [removed] = await tx.sql<PasskeyRow>(
      'delete from passkey where realm = $1 and id = $2 and person_id = $3 returning *',
      [realm, passkeyId, personId],
    );
    if (!removed) throw new NotFoundError('passkey');
    const [left] = await tx.sql(
      `select from passkey where realm = $1 and person_id = $2
       union all select from password where realm = $1 and person_id = $2 limit 1`,
      [realm, personId],
    );
    if (!left) throw new InvalidStateError('it is the last way to sign in: add another before');
    await endSessionsOf(tx, dependencies, { realm, personId, except: sessionId, at });
    await recordDone(tx, { realm, personId, what: 'passkey.removed', detail: removed.label }, at);
    return {};
  });
}

/**
 * Takes credentials away, or replaces them.
 * @throws StepUpRequiredError in a session by recovery code: that adds credentials and takes none away, it may be stolen
 */
export async function changeTrusted<T>(
  dependencies: Dependencies,
  realm: Realm,
  sessionId: string,
  change: (tx: Tx, personId: string, at: Date) => Promise<T>,
): Promise<T> {
  const enrolling = await enrollingInSession(dependencies, realm, sessionId);
  const { personId, stepUpFrom } = enrolling;
  const at = dependencies.now();
  if (stepUpFrom > at) throw new StepUpRequiredError('sign in by passkey, or by password, to change this');
  return await dependencies.database.transaction(async (tx) => {
    await lockHolder(tx, realm, enrolling, at);
    return await change(tx, personId, at);
  });
}
