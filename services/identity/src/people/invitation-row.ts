import type { Invitation, Membership, OperatorRole, Realm } from '@gateway/contracts/identity';
import { NotFoundError } from '@gateway/contracts/errors';
import { unixSeconds } from '@gateway/contracts/values';
import type { Queries } from '@gateway/persistence';
import { fromHex } from '#src/tokens.ts';

export interface InvitationRow {
  readonly realm: Realm;
  readonly id: string;
  readonly name: string;
  readonly roles: OperatorRole[];
  readonly membership: Membership | null;
  readonly purpose: Invitation['purpose'];
  readonly break_glass: boolean;
  readonly state: Exclude<Invitation['state'], 'EXPIRED'>;
  readonly invited_by: string;
  readonly approved_by: string | null;
  readonly person_id: string;
  readonly passkey_label: string | null;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly created_at: Date;
  readonly ends_at: Date;
}

/** @throws NotFoundError for a link that is unknown, used, revoked or too old */
export async function readOpenInvitation(
  queries: Queries,
  { realm, tokenDigest }: { readonly realm: Realm; readonly tokenDigest: string },
  at: Date,
): Promise<InvitationRow> {
  const [row] = await queries.query<InvitationRow>(
    "select * from invitation where realm = $1 and token_digest = $2 and state = 'OPEN' and ends_at > $3",
    [realm, fromHex(tokenDigest), at],
  );
  if (!row) throw new NotFoundError('invitation');
  return row;
}

export function toInvitation(row: InvitationRow, now: Date): Invitation {
  return {
    id: row.id,
    realm: row.realm,
    name: row.name,
    roles: row.roles,
    membership: row.membership,
    state: row.state === 'OPEN' && row.ends_at <= now ? 'EXPIRED' : row.state,
    purpose: row.purpose,
    invitedBy: row.invited_by,
    personId: row.state === 'OPEN' && row.purpose !== 'recovery' ? null : row.person_id,
    passkeyLabel: row.passkey_label,
    subject: row.subject,
    createdAt: unixSeconds(row.created_at),
    endsAt: unixSeconds(row.ends_at),
  };
}
