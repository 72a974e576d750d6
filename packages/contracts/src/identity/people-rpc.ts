import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { operatorRoleSchema, realmSchema } from '#src/identity/permission.ts';
import { actorSchema, approverSchema, membershipSchema, personSchema, tokenSchema } from '#src/identity/person.ts';
import { defineRpc } from '#src/messages/define.ts';
import { requestText } from '#src/values/request-text.ts';

const whoSchema = z.object({ realm: realmSchema, personId: idSchema('person'), by: actorSchema });

/** The people of a realm, or with a membership in one account, by name. */
export const listPeople = defineRpc({
  subject: 'rpc.identity.list-people.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, accountId: idSchema('account').optional() }),
  reply: z.object({ people: z.array(personSchema) }),
});

/**
 * Sets the roles of an operator, or a merchant's person's rights in one account (`membership: null` takes them away).
 * Their sessions get another token at the next request. INVALID_STATE when fewer than two active admins, or an account
 * without an owner, would be left.
 */
export const changeRoles = defineRpc({
  subject: 'rpc.identity.change-roles.v1',
  owner: 'identity',
  request: whoSchema.extend({
    approvedBy: approverSchema,
    rights: z.union([
      z.object({ roles: z.array(operatorRoleSchema).min(1).max(5) }),
      z.object({ accountId: idSchema('account'), membership: membershipSchema.omit({ accountId: true }).nullable() }),
    ]),
  }),
  reply: z.object({ before: personSchema, person: personSchema }),
});

/** Ends all sessions and lets the person in no more. One of the last two admins cannot be suspended: INVALID_STATE. */
export const suspendPerson = defineRpc({
  subject: 'rpc.identity.suspend-person.v1',
  owner: 'identity',
  request: whoSchema.extend({ reason: requestText(1, 500) }),
  reply: z.object({ person: personSchema }),
});

/** Lets a suspended person in again. */
export const reinstatePerson = defineRpc({
  subject: 'rpc.identity.reinstate-person.v1',
  owner: 'identity',
  request: whoSchema.extend({ reason: requestText(1, 500), approvedBy: approverSchema }),
  reply: z.object({ person: personSchema }),
});

/**
 * For a person who has lost every credential: ends all sessions, removes passkeys, password and codes, and makes a link
 * for enrolling anew, as an invitation that `by` has to confirm.
 */
export const beginRecovery = defineRpc({
  subject: 'rpc.identity.begin-recovery.v1',
  owner: 'identity',
  sealed: true,
  request: whoSchema.extend({ reason: requestText(1, 500), approvedBy: approverSchema }),
  reply: z.object({ invitationId: idSchema('invitation'), token: tokenSchema, endsAt: z.int() }),
});

/**
 * Whether `deciderId` may be the second person for what `proposerId` proposed: another person, active, and neither of them
 * invited, given rights, reinstated or reset by the other one within seven days; bootstrap is no person. `reason` says why
 * not.
 */
export const checkSecondPerson = defineRpc({
  subject: 'rpc.identity.check-second-person.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, proposerId: idSchema('person'), deciderId: idSchema('person') }),
  reply: z.object({
    allowed: z.boolean(),
    reason: z.enum(['same_person', 'not_active', 'by_proposer', 'by_decider']).nullable(),
    /** Unix seconds from which such an act no longer counts; null without one. */
    allowedFrom: z.int().nullable(),
    /** The proposer as that person is now; null of one who is gone. */
    proposer: personSchema.pick({ state: true, roles: true }).nullable().optional(),
  }),
});

const signInSchema = z.object({
  id: idSchema('signIn'),
  realm: realmSchema,
  /** Null for a name or passkey that is unknown. */
  personId: idSchema('person').nullable(),
  /** As it was typed; null where a passkey named no person. */
  name: z.string().nullable(),
  /** What was done or refused: `sign_in.passkey`, `roles.changed`, `session.ended`, … */
  what: z.string(),
  outcome: z.enum(['done', 'refused']),
  /** Why it was refused, or what was changed. Never shown to who signs in. */
  detail: z.string(),
  /** Who did it, where that is not the person. */
  by: actorSchema.nullable(),
  address: z.string(),
  userAgent: z.string(),
  /** Unix seconds. */
  at: z.int(),
});
export type SignIn = z.infer<typeof signInSchema>;

/** Sign-ins, refusals and changes of people, the latest first. */
export const listSignIns = defineRpc({
  subject: 'rpc.identity.list-sign-ins.v1',
  owner: 'identity',
  request: z.object({
    realm: realmSchema,
    personId: idSchema('person').optional(),
    outcome: z.enum(['done', 'refused']).optional(),
    cursor: idSchema('signIn').optional(),
    limit: z.int().min(1).max(200).default(50),
  }),
  reply: z.object({ signIns: z.array(signInSchema), nextCursor: idSchema('signIn').nullable() }),
});
