import { client } from '#src/generated/client.gen.ts';
import type { Environment } from '#src/generated/merchants/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';
import { proposalIn, type TeamApproval } from '#src/merchants/approvals/team-approval.ts';
import { bodyOf } from '#src/records/refusal.ts';

export const roles = ['owner', 'finance', 'approver', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];
export const environments = ['test', 'live'] as const satisfies readonly Environment[];

/** What a person may do in the account. */
export interface Rights {
  readonly roles: readonly Role[];
  readonly environments: readonly Environment[];
}

export interface TeamPerson extends Rights {
  readonly id: string;
  readonly name: string;
  readonly state: 'INVITED' | 'ACTIVE' | 'SUSPENDED';
  readonly passkeys: number;
  readonly has_password: boolean;
  /** Unix seconds. */
  readonly last_sign_in_at: number | null;
}

export interface TeamInvitation extends Rights {
  readonly id: string;
  readonly name: string;
  readonly state: 'OPEN' | 'ACCEPTED' | 'CONFIRMED' | 'REVOKED' | 'EXPIRED';
  readonly purpose: 'invitation' | 'recovery' | 'bootstrap';
  /** What the person called the passkey: to be asked for before it is confirmed. */
  readonly passkey_label: string | null;
  /** Who the person is at the issuer; null where it did not sign in there. */
  readonly subject: string | null;
  /** A person of the account, or the operator. */
  readonly invited_by: string;
  readonly ends_at: number;
}

export interface Team {
  readonly people: readonly TeamPerson[];
  readonly invitations: readonly TeamInvitation[];
}

/** What opens an invitation, once. */
export interface InvitationLink {
  readonly token: string;
  readonly ends_at: number;
}

export const teamKey = ['team'] as const;
export const personToneOf: Readonly<Record<TeamPerson['state'], Tone>> = {
  INVITED: 'wait',
  ACTIVE: 'good',
  SUSPENDED: 'bad',
};

/** @throws Refusal, as everything here */
export async function readTeam(signal: AbortSignal): Promise<Team> {
  return await bodyOf(client.get<Team>({ url: '/team', signal }));
}

interface Invited {
  readonly invitation: TeamInvitation;
  readonly token: string;
}

export async function invitePerson(body: Rights & { readonly name: string }): Promise<InvitationLink> {
  const { invitation, token } = await bodyOf(client.post<Invited>({ url: '/team/invitations', body }));
  return { token, ends_at: invitation.ends_at };
}

export async function decideInvitation(id: string, decision: 'confirm' | 'revoke'): Promise<unknown> {
  return await bodyOf(client.post<object>({ url: `/team/invitations/{id}/${decision}`, path: { id }, body: {} }));
}

/** The proposal where the person becomes an owner, which another person of the account decides. */
export async function changeRights(id: string, rights: Rights): Promise<TeamApproval | undefined> {
  return proposalIn(await bodyOf(client.patch<object>({ url: '/team/{id}', path: { id }, body: rights })));
}

export async function removePerson(id: string): Promise<unknown> {
  return await bodyOf(client.delete<object>({ url: '/team/{id}', path: { id } }));
}

export async function endSessionsOf(id: string): Promise<unknown> {
  return await bodyOf(client.post<object>({ url: '/team/{id}/end-sessions', path: { id }, body: {} }));
}

/** Takes a colleague every way to sign in, and answers with the link for another one. */
export async function resetPerson(id: string, reason: string): Promise<InvitationLink> {
  return await bodyOf(client.post<InvitationLink>({ url: '/team/{id}/reset', path: { id }, body: { reason } }));
}
