import { z } from 'zod';

/**
 * Core NATS subject on which the gateway says that a key was revoked, so that whoever remembers the key forgets it now.
 * A hint: it may be lost, and what is remembered must be checked again within a second anyway.
 */
export const keysRevokedSignal = 'signal.keys.revoked';

/** As `keysRevokedSignal`, for settings of an account. */
export const accountsChangedSignal = 'signal.accounts.changed';

export const keyRevokedSchema = z.object({ publicKey: z.string() });
export const accountChangedSchema = z.object({ accountId: z.string() });
