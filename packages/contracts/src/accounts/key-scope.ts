import { z } from 'zod';

/** What a key may be limited to. Reading and writing are apart: a key that creates deposits need not see those of others. */
export const keyScopes = [
  ...(['deposits:read', 'deposits:write', 'payouts:read', 'payouts:write', 'refunds:read', 'refunds:write'] as const),
  ...(['disputes:read', 'disputes:write', 'webhooks:read', 'webhooks:write', 'keys:read', 'keys:write'] as const),
] as const;
export const keyScopeSchema = z.enum(keyScopes);
export type KeyScope = z.infer<typeof keyScopeSchema>;
