import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { realmSchema } from '#src/identity/permission.ts';
import { clientSchema, personNameSchema, sessionSchema, tokenDigestSchema, tokenSchema } from '#src/identity/person.ts';
import {
  authenticationAnswerSchema,
  passkeyOptionsSchema,
  totpCodeSchema,
  typedPasswordSchema,
} from '#src/identity/web-authn.ts';
import { defineRpc } from '#src/messages/define.ts';

const signedInSchema = z.object({
  /** For the cookie. It is shown this once; identity keeps its SHA-256. */
  token: tokenSchema,
  session: sessionSchema,
});

/** A challenge for any passkey of the realm; it is used once, within five minutes. RATE_LIMITED by address. */
export const beginSignIn = defineRpc({
  subject: 'rpc.identity.begin-sign-in.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, client: clientSchema }),
  reply: z.object({ challengeId: idSchema('challenge'), options: passkeyOptionsSchema }),
});

/**
 * Signs in by a passkey with user verification. SIGN_IN_REFUSED with one answer for an unknown, revoked or suspended one, a
 * used challenge, a wrong origin.
 */
export const finishSignIn = defineRpc({
  subject: 'rpc.identity.finish-sign-in.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({
    realm: realmSchema,
    challengeId: idSchema('challenge'),
    answer: authenticationAnswerSchema,
    client: clientSchema,
  }),
  reply: signedInSchema,
});

/**
 * Signs in by password and time-based code, in one request: there is no answer to a password alone. SIGN_IN_REFUSED with
 * one answer, in equal time, for an unknown name, a wrong password or code, a used code, a suspended person.
 * RATE_LIMITED by address, and by name after five wrong ones in 15 minutes; SERVICE_UNAVAILABLE when more passwords wait
 * than are checked in time.
 */
export const signInWithPassword = defineRpc({
  subject: 'rpc.identity.sign-in-with-password.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({
    realm: realmSchema,
    name: personNameSchema,
    password: typedPasswordSchema,
    code: totpCodeSchema,
    client: clientSchema,
  }),
  reply: signedInSchema,
});

/**
 * Signs in by one of ten codes, each once. What is enrolled in such a session confirms operations only after 24 hours, so
 * that a stolen code moves no money. Refused as `signInWithPassword`.
 */
export const signInWithRecoveryCode = defineRpc({
  subject: 'rpc.identity.sign-in-with-recovery-code.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({
    realm: realmSchema,
    name: personNameSchema,
    /** Capital and small letters, dashes and blanks make no difference. */
    code: z.string().min(1).max(40),
    client: clientSchema,
  }),
  reply: signedInSchema,
});

/** Signs in by a link that a developer's machine printed; refused wherever `DEV_LOGIN` is not set. Each link once. */
export const signInWithLink = defineRpc({
  subject: 'rpc.identity.sign-in-with-link.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({ realm: realmSchema, tokenDigest: tokenDigestSchema, client: clientSchema }),
  reply: signedInSchema,
});
