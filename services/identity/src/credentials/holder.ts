import type { Holder, Realm } from '@gateway/contracts/identity';
import type { Tx } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { SessionEndedError, StepUpRequiredError } from '#src/errors.ts';
import { readOpenInvitation } from '#src/people/invitation-row.ts';
import { lockPerson } from '#src/people/lock-person.ts';
import { inForce } from '#src/sessions/session-row.ts';
import { later } from '#src/times.ts';

/** Credentials are changed by who has just signed in: a screen that was left unlocked is not enough. */
const freshSec = 300;

/** Who a credential is enrolled for. */
export interface Enrolling {
  readonly personId: string;
  readonly name: string;
  /** The session's or invitation's id: a challenge of one is not answered by another. */
  readonly holder: string;
  /** From when on what is enrolled may confirm operations. */
  readonly stepUpFrom: Date;
}

/**
 * @throws SessionEndedError when the session is not in force
 * @throws StepUpRequiredError when it signed in more than five minutes ago
 */
export async function enrollingInSession(
  { database, now }: Pick<Dependencies, 'database' | 'now'>,
  realm: Realm,
  sessionId: string,
): Promise<Enrolling> {
  const at = now();
  const [row] = await database.query<{
    readonly person_id: string;
    readonly name: string;
    readonly created_at: Date;
    readonly step_up_from: Date;
  }>(
    `select s.person_id, p.name, s.created_at, s.step_up_from from session s
     join person p on p.realm = s.realm and p.id = s.person_id where s.realm = $1 and s.id = $3 and ${inForce}`,
    [realm, at, sessionId],
  );
  if (!row) throw new SessionEndedError();
  if (later(row.created_at, freshSec) <= at) throw new StepUpRequiredError('sign in again to change credentials');
  // What a session by recovery code enrols waits as long as that session would have to.
  const stepUpFrom = row.step_up_from > at ? row.step_up_from : at;
  return { personId: row.person_id, name: row.name, holder: sessionId, stepUpFrom };
}

/**
 * Locks the person of a session that enrolls. What has ended the session since it was looked at, such as a reset of the sign-in, took
 * the credentials away under the same lock: nothing is added behind it.
 *
 * @throws SessionEndedError when the session is in force no more
 */
export async function lockHolder(tx: Tx, realm: Realm, { personId, holder }: Enrolling, at: Date): Promise<void> {
  await lockPerson(tx, realm, personId);
  const [row] = await tx.sql(
    `select from session s join person p on p.realm = s.realm and p.id = s.person_id
     where s.realm = $1 and s.id = $3 and ${inForce}`,
    [realm, at, holder],
  );
  if (!row) throw new SessionEndedError();
}

/** @throws NotFoundError for a link that is unknown, used, revoked or too old */
export async function enrollingByInvitation(
  { database, now }: Pick<Dependencies, 'database' | 'now'>,
  realm: Realm,
  tokenDigest: string,
): Promise<Enrolling> {
  const at = now();
  const row = await readOpenInvitation(database, { realm, tokenDigest }, at);
  return { personId: row.person_id, name: row.name, holder: row.id, stepUpFrom: at };
}

export async function enrollingOf(
  dependencies: Pick<Dependencies, 'database' | 'now'>,
  realm: Realm,
  holder: Holder,
): Promise<Enrolling> {
  if ('sessionId' in holder) return await enrollingInSession(dependencies, realm, holder.sessionId);
  return await enrollingByInvitation(dependencies, realm, holder.invitationDigest);
}
