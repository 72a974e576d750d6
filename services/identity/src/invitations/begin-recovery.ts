import type { beginRecovery as contract, Realm } from '@gateway/contracts/identity';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { unixSeconds } from '@gateway/contracts/values';
import { queriesIn, type Tx } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { InvalidStateError } from '#src/errors.ts';
import { recordDone } from '#src/history/record.ts';
import { insertInvitation, invitationLifeSec, type Drafted } from '#src/invitations/invite.ts';
import { lockRights, recordGranted } from '#src/people/lasting-rights.ts';
import { readPerson, toPerson } from '#src/people/person-row.ts';
import { removeCredentials } from '#src/people/remove-credentials.ts';
import { endSessionsOf } from '#src/sessions/end-sessions.ts';
import { later } from '#src/times.ts';

/** The person keeps its rights, and can use none before `by` has confirmed who enrolled anew. */
export async function beginRecovery(
  dependencies: Dependencies,
  { realm, personId, by, approvedBy, reason }: PayloadOf<{ payload: typeof contract.request }>,
): Promise<ReplyOf<typeof contract>> {
  const at = dependencies.now();
  if (personId === by) throw new InvalidStateError('another person has to reset the sign-in');
  return await dependencies.database.transaction(async (tx) => {
    await lockRights(tx, realm);
    const person = toPerson(await readPerson(queriesIn(tx), realm, personId));
    if (person.state === 'SUSPENDED') throw new InvalidStateError('the person is SUSPENDED');
    const { row, token } = await reset(tx, dependencies, {
      ...{ realm, name: person.name, roles: person.roles, membership: null, invited_by: by, approved_by: approvedBy },
      ...{ person_id: personId, purpose: 'recovery', break_glass: false, ends_at: later(at, invitationLifeSec) },
    });
    await recordGranted(tx, { realm, personId }, { by, approvedBy }, at);
    await recordDone(tx, { realm, personId, name: person.name, what: 'recovery.begun', detail: reason, by }, at);
    return { invitationId: row.id, token, endsAt: unixSeconds(row.ends_at) };
  });
}

/** Takes every credential and session of a person away, and makes a link for new ones. */
export async function reset(
  tx: Tx,
  dependencies: Pick<Dependencies, 'signal' | 'now'>,
  drafted: Drafted,
): ReturnType<typeof insertInvitation> {
  const { realm, person_id: personId, name } = drafted;
  const at = dependencies.now();
  await removeCredentials(tx, realm, personId);
  await endSessionsOf(tx, dependencies, { realm, personId, at });
  await tx.sql("update person set state = 'INVITED' where realm = $1 and id = $2", [realm, personId]);
  await revokeOpen(tx, realm, name);
  return await insertInvitation(tx, drafted, at);
}

/** Of two links of one name the later is in force. */
export async function revokeOpen(tx: Tx, realm: Realm, name: string): Promise<void> {
  await tx.sql(
    "update invitation set state = 'REVOKED' where realm = $1 and name = $2 and state in ('OPEN', 'ACCEPTED')",
    [realm, name],
  );
}
