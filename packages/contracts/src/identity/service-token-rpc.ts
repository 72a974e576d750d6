import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { operatorPermissionSchema } from '#src/identity/permission.ts';
import { actorSchema, approverSchema, tokenDigestSchema } from '#src/identity/person.ts';
import { defineRpc } from '#src/messages/define.ts';

const secondsOfADay = 86_400;
/** Longest life of a service token. */
const tokenLifeDaysMax = 90;

const addressSchema = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an IP address or a CIDR range');

/** What automation may do. It reads and proposes; it never decides, and changes no people. */
export const serviceTokenScopeSchema = operatorPermissionSchema.exclude([
  'money:decide',
  'accounts:decide',
  'payouts:approve',
  'people:write',
  'pii:reveal',
]);

const serviceTokenSchema = z.object({
  id: idSchema('serviceToken'),
  name: z.string(),
  scopes: z.array(serviceTokenScopeSchema),
  /** Empty: from anywhere. */
  allowlist: z.array(z.string()),
  createdBy: actorSchema,
  /** Who approved it, and was shown it; null of one that only reads, which one admin makes. */
  approvedBy: approverSchema,
  /** Unix seconds. */
  createdAt: z.int(),
  endsAt: z.int(),
  lastUsedAt: z.int().nullable(),
  revokedAt: z.int().nullable(),
});
export type ServiceToken = z.infer<typeof serviceTokenSchema>;

/** A token for automation at the operators' interface, `opst_…`, shown once. */
export const createServiceToken = defineRpc({
  subject: 'rpc.identity.create-service-token.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({
    name: z.string().trim().min(1).max(60),
    scopes: z.array(serviceTokenScopeSchema).min(1),
    allowlist: z.array(addressSchema).max(100).default([]),
    lifeSec: z
      .int()
      .min(60)
      .max(tokenLifeDaysMax * secondsOfADay),
    by: actorSchema,
    approvedBy: approverSchema,
  }),
  reply: z.object({ serviceToken: serviceTokenSchema, token: z.string() }),
});

/** All service tokens, those that have ended included for 90 days, the latest first. */
export const listServiceTokens = defineRpc({
  subject: 'rpc.identity.list-service-tokens.v1',
  owner: 'identity',
  request: z.object({}),
  reply: z.object({ serviceTokens: z.array(serviceTokenSchema) }),
});

/** Ends a token now; `signal.sessions.revoked` names it. */
export const revokeServiceToken = defineRpc({
  subject: 'rpc.identity.revoke-service-token.v1',
  owner: 'identity',
  request: z.object({ id: idSchema('serviceToken'), by: actorSchema }),
  reply: z.object({ serviceToken: serviceTokenSchema }),
});

/**
 * The token behind a bearer header. AUTH_INVALID when it is unknown, ended or revoked, AUTH_IP_BLOCKED from outside its
 * allowlist. To be remembered for a second at most.
 */
export const resolveServiceToken = defineRpc({
  subject: 'rpc.identity.resolve-service-token.v1',
  owner: 'identity',
  request: z.object({ tokenDigest: tokenDigestSchema, address: z.string().max(64) }),
  reply: z.object({ serviceToken: serviceTokenSchema }),
});
