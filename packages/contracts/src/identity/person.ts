import { z } from 'zod';
import { idSchema } from '@gateway/money';
import {
  merchantRoleSchema,
  operatorPermissionSchema,
  operatorRoleSchema,
  realmSchema,
} from '#src/identity/permission.ts';
import { environmentSchema } from '#src/values/environment.ts';

/** What a person signs in with where no passkey is used, and what audits show: unique in its realm, in lower case. */
export const personNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._@+-]{1,63}$/, 'must be 2 to 64 of a-z, 0-9 and ._@+-, the first a letter or digit');

/** A right to one account of a merchant. Live rights are given explicitly. */
export const membershipSchema = z.object({
  accountId: idSchema('account'),
  roles: z.array(merchantRoleSchema).min(1).max(5),
  environments: z.array(environmentSchema).min(1).max(2),
});
export type Membership = z.infer<typeof membershipSchema>;

/**
 * INVITED: has enrolled, and the inviter has not confirmed it yet. ACTIVE: may sign in. SUSPENDED: may not, until
 * reinstated.
 */
const personStateSchema = z.enum(['INVITED', 'ACTIVE', 'SUSPENDED']);

export const personSchema = z.object({
  id: idSchema('person'),
  realm: realmSchema,
  name: personNameSchema,
  state: personStateSchema,
  /** Of operators; empty for the people of merchants, who have memberships. */
  roles: z.array(operatorRoleSchema),
  /** Of the people of merchants; operators have none and cannot act as a merchant. */
  memberships: z.array(membershipSchema),
  passkeys: z.int().nonnegative(),
  hasPassword: z.boolean(),
  /** Unix seconds; null for a person who never signed in. */
  lastSignInAt: z.int().nullable(),
  /** Unix seconds. */
  createdAt: z.int(),
});
export type Person = z.infer<typeof personSchema>;

/** What a session was begun with. A passkey with user verification is both factors; an issuer states that it used two. */
const factorSchema = z.enum(['passkey', 'password', 'recovery_code', 'link', 'issuer']);
export type Factor = z.infer<typeof factorSchema>;

export const sessionSchema = z.object({
  id: idSchema('session'),
  realm: realmSchema,
  personId: idSchema('person'),
  personName: personNameSchema,
  roles: z.array(operatorRoleSchema),
  memberships: z.array(membershipSchema),
  /**
   * Permissions about money that the roles would give, and that are withheld until the person has as many passkeys as the
   * deployment asks for.
   */
  withheld: z.array(operatorPermissionSchema),
  factor: factorSchema,
  address: z.string(),
  userAgent: z.string(),
  /** All times are Unix seconds. */
  createdAt: z.int(),
  lastSeenAt: z.int(),
  /** The session ends then without a real request in between. */
  idleEndsAt: z.int(),
  /** The session ends then whatever happens. */
  endsAt: z.int(),
  /** From then on its factor may confirm an operation; later than `createdAt` after a sign-in by recovery code or issuer. */
  stepUpFrom: z.int(),
});
export type Session = z.infer<typeof sessionSchema>;

/** Whence a request of a browser came, as the first trusted listener saw it. */
export const clientSchema = z.object({ address: z.string().max(64), userAgent: z.string().max(500) });
export type Client = z.infer<typeof clientSchema>;

/** SHA-256 in hex of a token: the token itself goes no further than the gateway. */
export const tokenDigestSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');

/** 256 random bits in base64url. */
export const tokenSchema = z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url');

/** Who asks for a change, for the audit: a person, or `bootstrap`. */
export const actorSchema = z.union([idSchema('person'), z.literal('bootstrap')]);

/** Who agreed where a change takes two; that person counts as having made it, as the one who asks does. */
export const approverSchema = idSchema('person').nullable().default(null);
