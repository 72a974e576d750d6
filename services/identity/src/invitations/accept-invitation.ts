import { peopleChangedSignal, type acceptInvitation as contract, type Realm } from '@gateway/contracts/identity';
import { NotFoundError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { violatedConstraint, type Tx } from '@gateway/persistence';
import { beginAttempt } from '#src/attempts/begin-attempt.ts';
import { enrollingByInvitation, type Enrolling } from '#src/credentials/holder.ts';
import { verifyNewPasskey } from '#src/credentials/passkeys.ts';
import { verifyNewPassword } from '#src/credentials/passwords.ts';
import { InvalidStateError } from '#src/errors.ts';
import { recordDone } from '#src/history/record.ts';
import { toInvitation, type InvitationRow } from '#src/people/invitation-row.ts';
import { replaceRecoveryCodes } from '#src/passwords/recovery-codes.ts';
import { activeAdmins, lockRights } from '#src/people/lasting-rights.ts';
import { bindPerson } from '#src/people/subjects.ts';
import { takeBinding } from '#src/signing-in/bind-invitation.ts';
import type { WithPasswords } from '#src/passwords/password-hashes.ts';

type Accepting = PayloadOf<{ payload: typeof contract.request }>;

/** Admins that bootstrap makes; more take two people, or `--break-glass`. */
export const bootstrapAdminsMax = 2;

/** Enrols the invited person and uses the link up, both or neither. */
export async function acceptInvitation(
  dependencies: WithPasswords,
  accepting: Accepting,
): Promise<ReplyOf<typeof contract>> {
  const { database, now } = dependencies;
  const { realm, tokenDigest, bindingId, client } = accepting;
  const attempt = await beginAttempt(database, { realm, address: client.address }, now());
  const enrolling = await enrollingByInvitation(dependencies, realm, tokenDigest);
  const invitation = { realm, invitationId: enrolling.holder };
  const named = bindingId === undefined ? null : await takeBinding(dependencies, invitation, bindingId);
  const keep = await verified(dependencies, accepting, enrolling);
  const at = now();
  const accepted = database.transaction(async (tx) => {
    await lockRights(tx, realm);
    const [row] = await tx.sql<InvitationRow>(
      `update invitation set state = case purpose when 'bootstrap' then 'CONFIRMED' else 'ACCEPTED' end, passkey_label = $3,
                             issuer = $5, subject = $6
       where realm = $1 and id = $2 and state = 'OPEN' and ends_at > $4 returning *`,
      [realm, enrolling.holder, labelOf(accepting), at, named?.issuer ?? null, named?.subject ?? null],
    );
    if (!row) throw new NotFoundError('invitation');
    await writePerson(tx, row, at);
    await keep(tx);
    if (named) await bindPerson(tx, realm, row.person_id, named, at);
    const recoveryCodes = await replaceRecoveryCodes(tx, realm, row.person_id);
    const { person_id: personId, name } = row;
    const detail = named ? `${row.id} as ${named.subject} of ${named.issuer}` : row.id;
    await recordDone(tx, { realm, personId, name, what: 'invitation.accepted', detail, client }, at);
    tx.afterCommit(() => dependencies.signal(peopleChangedSignal, { realm, personId }));
    return { invitation: toInvitation(row, at), recoveryCodes };
  });
  const reply = await accepted.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'person_name_once') throw error;
    throw new InvalidStateError('the name is taken');
  });
  await attempt.succeeded();
  return reply;
}

function labelOf({ credential }: Accepting): string | null {
  return credential.kind === 'passkey' ? credential.label : null;
}

async function verified(
  dependencies: WithPasswords,
  { realm, challengeId, credential }: Accepting,
  enrolling: Enrolling,
): Promise<(tx: Tx) => Promise<unknown>> {
  if (credential.kind === 'password') {
    return await verifyNewPassword(dependencies, realm, enrolling, { challengeId, ...credential });
  }
  return await verifyNewPasskey(dependencies, realm, enrolling, { challengeId, ...credential });
}

/** One that recovers exists already, and keeps its rights. Who is bootstrapped needs no inviter's confirmation. */
async function writePerson(tx: Tx, row: InvitationRow, at: Date): Promise<void> {
  const { realm, purpose, person_id: personId, name, roles, membership } = row;
  const isBootstrap = purpose === 'bootstrap';
  if (isBootstrap && !row.break_glass && (await activeAdmins(tx)) >= bootstrapAdminsMax) {
    throw new InvalidStateError(`${bootstrapAdminsMax} admins are active: they invite the others`);
  }
  const state = isBootstrap ? 'ACTIVE' : 'INVITED';
  if (purpose === 'recovery') return;
  const existing = await tx.sql('update person set state = $3, roles = $4 where realm = $1 and id = $2 returning id', [
    realm,
    personId,
    state,
    roles,
  ]);
  if (existing.length > 0) return;
  await tx.sql('insert into person (realm, id, name, state, roles, created_at) values ($1, $2, $3, $4, $5, $6)', [
    realm,
    personId,
    name,
    state,
    roles,
    at,
  ]);
  if (membership) await writeMembership(tx, realm, personId, membership);
}

async function writeMembership(
  tx: Tx,
  realm: Realm,
  personId: string,
  { accountId, roles, environments }: NonNullable<InvitationRow['membership']>,
): Promise<void> {
  await tx.sql(
    'insert into membership (realm, person_id, account_id, roles, environments) values ($1, $2, $3, $4, $5)',
    [realm, personId, accountId, roles, environments],
  );
}
