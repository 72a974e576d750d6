import {
  peopleChangedSignal,
  type confirmInvitation as confirmContract,
  type Realm,
  type revokeInvitation as revokeContract,
} from '@gateway/contracts/identity';
import { NotFoundError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { queriesIn, type Tx } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { InvalidStateError } from '#src/errors.ts';
import { recordDone } from '#src/history/record.ts';
import { toInvitation, type InvitationRow } from '#src/people/invitation-row.ts';
import { recordGranted } from '#src/people/lasting-rights.ts';
import { readPerson, toPerson } from '#src/people/person-row.ts';
import { removeCredentials } from '#src/people/remove-credentials.ts';

/** The inviter has recognised the person. Another one cannot have. */
export async function confirmInvitation(
  dependencies: Dependencies,
  { realm, invitationId, by }: PayloadOf<{ payload: typeof confirmContract.request }>,
): Promise<ReplyOf<typeof confirmContract>> {
  const at = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    const row = await lockInvitation(tx, realm, invitationId);
    if (row.state !== 'ACCEPTED') throw new InvalidStateError(`the invitation is ${toInvitation(row, at).state}`);
    if (row.invited_by !== by) throw new InvalidStateError('who invited the person has to confirm it');
    const personId = row.person_id;
    await tx.sql("update invitation set state = 'CONFIRMED' where realm = $1 and id = $2", [realm, invitationId]);
    await tx.sql("update person set state = 'ACTIVE' where realm = $1 and id = $2 and state = 'INVITED'", [
      realm,
      personId,
    ]);
    await recordGranted(tx, { realm, personId }, { by, approvedBy: row.approved_by }, at);
    await recordDone(tx, { realm, personId, name: row.name, what: 'invitation.confirmed', detail: row.id, by }, at);
    tx.afterCommit(() => dependencies.signal(peopleChangedSignal, { realm, personId }));
    return { person: toPerson(await readPerson(queriesIn(tx), realm, personId)) };
  });
}

/** Who enrolled by it is removed; of a recovery only the new credentials are. */
export async function revokeInvitation(
  dependencies: Dependencies,
  { realm, invitationId, by }: PayloadOf<{ payload: typeof revokeContract.request }>,
): Promise<ReplyOf<typeof revokeContract>> {
  const at = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    const row = await lockInvitation(tx, realm, invitationId);
    if (row.state !== 'OPEN' && row.state !== 'ACCEPTED') {
      throw new InvalidStateError(`the invitation is ${row.state}`);
    }
    const [revoked] = await tx.sql<InvitationRow>(
      "update invitation set state = 'REVOKED' where realm = $1 and id = $2 returning *",
      [realm, invitationId],
    );
    if (row.state === 'ACCEPTED') {
      const { person_id: personId } = row;
      await removeCredentials(tx, realm, personId);
      const removed = row.purpose === 'invitation';
      if (removed) {
        await tx.sql("delete from person where realm = $1 and id = $2 and state = 'INVITED'", [realm, personId]);
      }
    }
    await recordDone(
      tx,
      { realm, personId: row.person_id, name: row.name, what: 'invitation.revoked', detail: row.id, by },
      at,
    );
    return { invitation: toInvitation(revoked ?? row, at) };
  });
}

async function lockInvitation(tx: Tx, realm: Realm, id: string): Promise<InvitationRow> {
  const [row] = await tx.sql<InvitationRow>('select * from invitation where realm = $1 and id = $2 for update', [
    realm,
    id,
  ]);
  if (!row) throw new NotFoundError('invitation');
  return row;
}
