import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { realmSchema } from '#src/identity/permission.ts';
import { actorSchema, sessionSchema, tokenDigestSchema, tokenSchema } from '#src/identity/person.ts';
import { defineRpc } from '#src/messages/define.ts';

/**
 * The session behind a cookie. SESSION_ENDED once it was ended, is idle for too long, has reached its end, or the person
 * may no longer sign in. What it answers may be remembered for a second, less when `signal.sessions.revoked` names it.
 */
export const resolveSession = defineRpc({
  subject: 'rpc.identity.resolve-session.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({
    realm: realmSchema,
    tokenDigest: tokenDigestSchema,
    /** A request that the person made. Streams and polling are none: they keep no session alive. */
    active: z.boolean(),
  }),
  reply: z.object({
    session: sessionSchema,
    /**
     * The token from now on, for the cookie of this answer, every 15 minutes and after a change of roles; the one presented
     * works for 30 seconds more. Null: the presented one stays. To be set once, not from what is remembered.
     */
    rotatedToken: tokenSchema.nullable(),
  }),
});

/** The sessions of a person that have not ended, the latest first. */
export const listSessions = defineRpc({
  subject: 'rpc.identity.list-sessions.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, personId: idSchema('person') }),
  reply: z.object({ sessions: z.array(sessionSchema) }),
});

/** Ends one session of a person; a session that has ended stays so. NOT_FOUND for the session of another person. */
export const endSession = defineRpc({
  subject: 'rpc.identity.end-session.v1',
  owner: 'identity',
  request: z.object({
    realm: realmSchema,
    personId: idSchema('person'),
    sessionId: idSchema('session'),
    by: actorSchema,
  }),
  reply: z.object({}),
});

/** Ends all sessions of a person, or all others. */
export const endSessions = defineRpc({
  subject: 'rpc.identity.end-sessions.v1',
  owner: 'identity',
  request: z.object({
    realm: realmSchema,
    personId: idSchema('person'),
    except: idSchema('session').optional(),
    by: actorSchema,
  }),
  reply: z.object({ ended: z.int().nonnegative() }),
});
