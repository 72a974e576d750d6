import { NotFoundError } from '@gateway/contracts/errors';
import {
  confirmInvitation,
  type Invitation,
  listInvitations,
  type Realm,
  revokeInvitation,
} from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';

/** What becomes of an invitation: who enrolled by it may sign in, or it is closed and who enrolled is removed. */
export type InvitationDecision = 'confirm' | 'revoke';

/** What it means, for operators, who proposed the invitation to each other. */
export const consequences: Readonly<Record<InvitationDecision, string>> = {
  confirm:
    'By who proposed it, after asking the person for the name of the passkey: a link that was stolen opens nothing.',
  revoke:
    'Who enrolled by it is removed, and signs in nowhere; of a person whose sign-in was reset the new credentials are. One ' +
    'operator does so at once, either of the two as well: it stops something, and gives nothing.',
};

/** Whose invitations are looked among. */
export interface Invited {
  readonly realm: Realm;
  /** Of the people of merchants; operators have none. */
  readonly accountId?: string;
}

/** @throws NotFoundError, also for one of other people or into another account */
export async function readInvitation(bus: Askable, invited: Invited, id: string): Promise<Invitation> {
  const { invitations } = await callRpc(bus, listInvitations, { ...invited });
  const invitation = invitations.find((each) => each.id === id);
  if (!invitation) throw new NotFoundError('invitation');
  return invitation;
}

/**
 * @param by who decides: to confirm, the inviter alone
 * @returns the invitation as it is now
 * @throws DomainError as identity refuses it; NotFoundError
 */
export async function decideInvitation(
  bus: Askable,
  decision: InvitationDecision,
  { id, by, ...invited }: Invited & { readonly id: string; readonly by: string },
): Promise<Invitation> {
  const asked = { realm: invited.realm, invitationId: id, by };
  if (decision === 'confirm') await callRpc(bus, confirmInvitation, asked);
  else await callRpc(bus, revokeInvitation, asked);
  return await readInvitation(bus, invited, id);
}
