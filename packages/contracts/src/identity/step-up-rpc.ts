import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { realmSchema } from '#src/identity/permission.ts';
import { clientSchema, tokenSchema } from '#src/identity/person.ts';
import {
  authenticationAnswerSchema,
  passkeyOptionsSchema,
  totpCodeSchema,
  typedPasswordSchema,
} from '#src/identity/web-authn.ts';
import { defineRpc } from '#src/messages/define.ts';

/** What exactly is confirmed. The challenge is made of it, so a confirmation is of no use for anything else. */
const confirmedSchema = z.object({
  realm: realmSchema,
  sessionId: idSchema('session'),
  /** The operation's name in the API description: `approveApproval`. */
  operation: z.string().min(1).max(100),
  /** What it is done to: the path with its ids. */
  target: z.string().max(500),
  /** SHA-256 of the body as it was received, in hex. */
  bodyDigest: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Asks for a confirmation of one operation by its person. Its challenge is the SHA-256 of a nonce, the operation, the target, the
 * digest of the body and the person; it is answered once, within five minutes.
 */
export const beginStepUp = defineRpc({
  subject: 'rpc.identity.begin-step-up.v1',
  owner: 'identity',
  request: confirmedSchema,
  reply: z.object({
    stepUpId: idSchema('stepUp'),
    /** Null for a person without a passkey that may confirm. */
    options: passkeyOptionsSchema.nullable(),
    /** Whether password and code are taken in the place of a passkey. */
    password: z.boolean(),
    /** Unix seconds. */
    endsAt: z.int(),
  }),
});

/**
 * Uses a confirmation up. STEP_UP_REQUIRED when it is unknown, used, too old, of another session, operation, target or
 * body, or when the answer is not the person's: begin again.
 */
export const useStepUp = defineRpc({
  subject: 'rpc.identity.use-step-up.v1',
  owner: 'identity',
  sealed: true,
  request: confirmedSchema.extend({
    stepUpId: idSchema('stepUp'),
    answer: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('passkey'), passkey: authenticationAnswerSchema }),
      z.object({ kind: z.literal('password'), password: typedPasswordSchema, code: totpCodeSchema }),
    ]),
    client: clientSchema,
  }),
  reply: z.object({
    /** The session's token from now on, as of `resolveSession`. */
    rotatedToken: tokenSchema,
  }),
});
