import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { passkeyLabelSchema } from '#src/identity/credential-rpc.ts';
import { operatorRoleSchema, realmSchema } from '#src/identity/permission.ts';
import {
  actorSchema,
  approverSchema,
  clientSchema,
  membershipSchema,
  personNameSchema,
  personSchema,
  tokenDigestSchema,
  tokenSchema,
} from '#src/identity/person.ts';
import { newPasswordSchema, registrationAnswerSchema, totpCodeSchema } from '#src/identity/web-authn.ts';
import { defineRpc } from '#src/messages/define.ts';

/** What an invited person will have: roles for an operator, one account for a person of a merchant. */
const rightsShape = {
  roles: z.array(operatorRoleSchema).max(5).default([]),
  membership: membershipSchema.nullable().default(null),
};

/**
 * OPEN: the link may be opened until `endsAt`. ACCEPTED: a person has enrolled and waits for the inviter's confirmation.
 * CONFIRMED, REVOKED and EXPIRED are ends.
 */
const invitationStateSchema = z.enum(['OPEN', 'ACCEPTED', 'CONFIRMED', 'REVOKED', 'EXPIRED']);

const invitationSchema = z.object({
  id: idSchema('invitation'),
  realm: realmSchema,
  name: personNameSchema,
  ...rightsShape,
  state: invitationStateSchema,
  /** `recovery`: of a person who has lost every credential and enrols anew. */
  purpose: z.enum(['invitation', 'recovery', 'bootstrap']),
  invitedBy: actorSchema,
  /** Who enrolled; null while the link is open. */
  personId: idSchema('person').nullable(),
  /** What the person called the passkey, for the inviter to ask about; null for a password. */
  passkeyLabel: z.string().nullable(),
  /** Who the person is at the realm's issuer (`sub` of OpenID Connect Core 1.0); null where the link was not bound to one. */
  subject: z.string().nullable().default(null),
  /** Unix seconds. */
  createdAt: z.int(),
  endsAt: z.int(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/**
 * Invites a person. The link's token is shown once and works once, within 24 hours; what was enrolled by it opens nothing
 * before the inviter has confirmed it. INVALID_STATE for a name that is taken in the realm.
 */
export const createInvitation = defineRpc({
  subject: 'rpc.identity.create-invitation.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({
    realm: realmSchema,
    name: personNameSchema,
    ...rightsShape,
    by: actorSchema,
    approvedBy: approverSchema,
  }),
  reply: z.object({ invitation: invitationSchema, token: tokenSchema }),
});

/** What the invited person sees before enrolling. NOT_FOUND for a link that is unknown, used, revoked or too old. */
export const readInvitation = defineRpc({
  subject: 'rpc.identity.read-invitation.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, tokenDigest: tokenDigestSchema }),
  reply: z.object({ invitation: invitationSchema }),
});

/**
 * Enrols the invited person by a passkey, or by password and codes. The link is used up with it. The person may sign in
 * once `confirmInvitation` was called; at once after bootstrap.
 */
export const acceptInvitation = defineRpc({
  subject: 'rpc.identity.accept-invitation.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({
    realm: realmSchema,
    tokenDigest: tokenDigestSchema,
    challengeId: idSchema('challenge'),
    /** Of `finishIssuerSignIn`, where the person has signed in at the realm's issuer first. */
    bindingId: idSchema('challenge').optional(),
    credential: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('passkey'), answer: registrationAnswerSchema, label: passkeyLabelSchema }),
      z.object({ kind: z.literal('password'), password: newPasswordSchema, code: totpCodeSchema }),
    ]),
    client: clientSchema,
  }),
  reply: z.object({ invitation: invitationSchema, recoveryCodes: z.array(z.string()) }),
});

/** The inviter has recognised who enrolled. Refused with INVALID_STATE unless it is ACCEPTED, and to any other person. */
export const confirmInvitation = defineRpc({
  subject: 'rpc.identity.confirm-invitation.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, invitationId: idSchema('invitation'), by: actorSchema }),
  reply: z.object({ person: personSchema }),
});

/** Closes a link that is open, or refuses who enrolled by it; that person and its credentials are removed. */
export const revokeInvitation = defineRpc({
  subject: 'rpc.identity.revoke-invitation.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, invitationId: idSchema('invitation'), by: actorSchema }),
  reply: z.object({ invitation: invitationSchema }),
});

/** The invitations of a realm, or into one account, the latest first; at most a hundred. */
export const listInvitations = defineRpc({
  subject: 'rpc.identity.list-invitations.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, accountId: idSchema('account').optional() }),
  reply: z.object({ invitations: z.array(invitationSchema) }),
});
