import { z } from 'zod';
import { rateLimitSchema } from '#src/accounts/account.ts';

/**
 * Core NATS subject on which the gateway publishes that a key was revoked, so that caches drop the key now. It is a
 * hint: it may be lost, so a cached key is checked again within a second anyway.
 */
export const keysRevokedSignal = 'signal.keys.revoked';

/** As `keysRevokedSignal`, for what a key is allowed. */
export const keysChangedSignal = 'signal.keys.changed';

/** As `keysRevokedSignal`, for settings of an account. */
export const accountsChangedSignal = 'signal.accounts.changed';

export const keyRevokedSchema = z.object({ publicKey: z.string() });
export const keyChangedSchema = z.object({ publicKey: z.string() });
export const accountChangedSchema = z.object({ accountId: z.string() });

/** Core NATS subject on which each gateway publishes how many requests of which keys it has let pass. A hint. */
export const keysSpentSignal = 'signal.keys.spent';

const keySpendingSchema = z.object({ publicKey: z.string(), count: z.int().positive(), limit: rateLimitSchema });
export type KeySpending = z.infer<typeof keySpendingSchema>;

export const keysSpentSchema = z.object({
  /** One process; it knows its own spending already. */
  gateway: z.string(),
  spent: z.array(keySpendingSchema),
});
