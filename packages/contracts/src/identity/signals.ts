import { z } from 'zod';
import { realmSchema } from '#src/identity/permission.ts';

/**
 * Core NATS subject on which identity publishes that sessions or service tokens have ended, so that gateways drop them now
 * and end their streams. It is a hint: it may be lost, so what is remembered is checked again within a second anyway.
 */
export const sessionsRevokedSignal = 'signal.sessions.revoked';

/** As `sessionsRevokedSignal`, for roles and memberships of a person. */
export const peopleChangedSignal = 'signal.people.changed';

export const sessionsRevokedSchema = z.object({
  realm: realmSchema,
  /** Ids of sessions (`ses_`) and service tokens (`tok_`). */
  ids: z.array(z.string()),
});

export const peopleChangedSchema = z.object({ realm: realmSchema, personId: z.string() });
