import type {
  createInvitation as createContract,
  listInvitations as listContract,
  readInvitation as readContract,
} from '@gateway/contracts/identity';
import { ValidationError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { violatedConstraint, type Tx } from '@gateway/persistence';
import { spendInvitation } from '#src/attempts/begin-attempt.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { InvalidStateError } from '#src/errors.ts';
import { recordDone } from '#src/history/record.ts';
import { readOpenInvitation, toInvitation, type InvitationRow } from '#src/people/invitation-row.ts';
import { later } from '#src/times.ts';
import { digestOf, newToken } from '#src/tokens.ts';

export const invitationLifeSec = 86_400;
const listMax = 100;

/** What is written of an invitation; the token is given to the inviter and not kept. */
export type Drafted = Pick<
  InvitationRow,
  'realm' | 'name' | 'roles' | 'membership' | 'purpose' | 'break_glass' | 'invited_by' | 'person_id' | 'ends_at'
> &
  Partial<Pick<InvitationRow, 'approved_by'>>;

/** @throws InvalidStateError when another invitation of the name is open */
export async function insertInvitation(
  tx: Tx,
  drafted: Drafted,
  at: Date,
): Promise<{ readonly row: InvitationRow; readonly token: string }> {
  const token = newToken();
  // A name whose link was not opened in time is free.
  await tx.sql(
    "update invitation set state = 'REVOKED' where realm = $1 and name = $2 and state = 'OPEN' and ends_at <= $3",
    [drafted.realm, drafted.name, at],
  );
  const { realm, name, roles, membership, purpose, break_glass, invited_by, person_id, ends_at } = drafted;
  const { approved_by = null } = drafted;
  const written = tx.sql<InvitationRow>(
    `insert into invitation (realm, id, name, roles, membership, purpose, break_glass, state, token_digest, invited_by,
                             approved_by, person_id, created_at, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'OPEN', $8, $9, $10, $11, $12, $13) returning *`,
    [
      ...[realm, newId('invitation'), name, roles, membership && JSON.stringify(membership), purpose, break_glass],
      ...[digestOf(token), invited_by, approved_by, person_id, at, ends_at],
    ],
  );
  const [row] = await written.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'invitation_name_once') throw error;
    throw nameTaken();
  });
  if (!row) throw new Error('the invitation was not written');
  return { row, token };
}

export async function createInvitation(
  dependencies: Dependencies,
  { realm, name, roles, membership, by, approvedBy }: PayloadOf<{ payload: typeof createContract.request }>,
): Promise<ReplyOf<typeof createContract>> {
  if (realm === 'operator' ? roles.length === 0 || membership !== null : roles.length > 0 || membership === null) {
    const [path, message] =
      realm === 'operator'
        ? ['roles', 'must have one, and no membership: operators have no account']
        : ['membership', 'must be of one account, and no roles: those are operators’'];
    throw new ValidationError([{ path, message }]);
  }
  const at = dependencies.now();
  if (membership) await spendInvitation(dependencies.database, membership.accountId, at);
  return await dependencies.database.transaction(async (tx) => {
    const [taken] = await tx.sql('select 1 from person where realm = $1 and name = $2', [realm, name]);
    if (taken) throw nameTaken();
    const { row, token } = await insertInvitation(
      tx,
      {
        ...{ realm, name, roles, membership, purpose: 'invitation', break_glass: false, invited_by: by },
        ...{ approved_by: approvedBy, person_id: newId('person'), ends_at: later(at, invitationLifeSec) },
      },
      at,
    );
    const detail = JSON.stringify({ name, roles, membership });
    await recordDone(tx, { realm, personId: null, name, what: 'invitation.created', detail, by }, at);
    return { invitation: toInvitation(row, at), token };
  });
}

/** The same of a person and of an open invitation, which may both be another merchant's. */
function nameTaken(): InvalidStateError {
  return new InvalidStateError('the name cannot be used: choose another one');
}

/** @throws NotFoundError for a link that is unknown, used, revoked or too old */
export async function readInvitation(
  { database, now }: Pick<Dependencies, 'database' | 'now'>,
  request: PayloadOf<{ payload: typeof readContract.request }>,
): Promise<ReplyOf<typeof readContract>> {
  const at = now();
  return { invitation: toInvitation(await readOpenInvitation(database, request, at), at) };
}

export async function listInvitations(
  { database, now }: Pick<Dependencies, 'database' | 'now'>,
  { realm, accountId }: PayloadOf<{ payload: typeof listContract.request }>,
): Promise<ReplyOf<typeof listContract>> {
  const rows = await database.query<InvitationRow>(
    `select * from invitation where realm = $1 and ($2::text is null or membership ->> 'accountId' = $2 or (purpose = 'recovery' and exists (
       select from membership m where m.realm = invitation.realm and m.person_id = invitation.person_id and m.account_id = $2)))
     order by id desc limit ${listMax}`,
    [realm, accountId ?? null],
  );
  return { invitations: rows.map((row) => toInvitation(row, now())) };
}
