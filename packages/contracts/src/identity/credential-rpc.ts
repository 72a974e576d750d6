import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { realmSchema } from '#src/identity/permission.ts';
import { tokenDigestSchema } from '#src/identity/person.ts';
import {
  newPasswordSchema,
  passkeyOptionsSchema,
  registrationAnswerSchema,
  totpCodeSchema,
} from '#src/identity/web-authn.ts';
import { defineRpc } from '#src/messages/define.ts';
import { requestText } from '#src/values/request-text.ts';

/** What a person calls a passkey: the device it is on. */
export const passkeyLabelSchema = z.string().trim().pipe(requestText(1, 60));

const passkeySchema = z.object({
  id: idSchema('passkey'),
  label: z.string(),
  /** Whether it is copied between devices by its provider. */
  backedUp: z.boolean(),
  /** Unix seconds. */
  createdAt: z.int(),
  lastUsedAt: z.int().nullable(),
});
export type Passkey = z.infer<typeof passkeySchema>;

/** Whose credential is enrolled: the person of a session, or of an invitation that is accepted with it. */
export const holderSchema = z.union([
  z.object({ sessionId: idSchema('session') }),
  z.object({ invitationDigest: tokenDigestSchema }),
]);
export type Holder = z.infer<typeof holderSchema>;

/** What a person can sign in with. */
export const listCredentials = defineRpc({
  subject: 'rpc.identity.list-credentials.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, personId: idSchema('person') }),
  reply: z.object({
    passkeys: z.array(passkeySchema),
    hasPassword: z.boolean(),
    recoveryCodesLeft: z.int().nonnegative(),
    /** Who the person is at the realm's issuer; null where it is bound to no subject. */
    subject: z.string().nullable().default(null),
  }),
});

/** A challenge for a new passkey (resident, user verification required, attestation none); once, within five minutes. */
export const beginPasskey = defineRpc({
  subject: 'rpc.identity.begin-passkey.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, holder: holderSchema }),
  reply: z.object({ challengeId: idSchema('challenge'), options: passkeyOptionsSchema }),
});

/**
 * Adds a passkey for the person of the session. STEP_UP_REQUIRED when the session signed in more than five minutes ago:
 * sign in again. LIMIT_REACHED at ten.
 */
export const addPasskey = defineRpc({
  subject: 'rpc.identity.add-passkey.v1',
  owner: 'identity',
  request: z.object({
    realm: realmSchema,
    sessionId: idSchema('session'),
    challengeId: idSchema('challenge'),
    answer: registrationAnswerSchema,
    label: passkeyLabelSchema,
  }),
  reply: z.object({ passkey: passkeySchema }),
});

/** Removes a passkey of the session's person and ends the other sessions; INVALID_STATE for the last way to sign in. */
export const removePasskey = defineRpc({
  subject: 'rpc.identity.remove-passkey.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema, sessionId: idSchema('session'), passkeyId: idSchema('passkey') }),
  reply: z.object({}),
});

/** A new secret for time-based codes (RFC 6238), shown once, for the password that is set with a code of it. */
export const beginTotp = defineRpc({
  subject: 'rpc.identity.begin-totp.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({ realm: realmSchema, holder: holderSchema }),
  reply: z.object({
    challengeId: idSchema('challenge'),
    /** Base 32, for typing. */
    secret: z.string(),
    /** `otpauth://totp/…`, for a QR code. */
    uri: z.string(),
  }),
});

/**
 * Sets password and time-based codes of the session's person together, in the place of those before, and ends the other
 * sessions. STEP_UP_REQUIRED as `addPasskey`; VALIDATION_ERROR of `code` when it does not fit the secret.
 */
export const setPassword = defineRpc({
  subject: 'rpc.identity.set-password.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({
    realm: realmSchema,
    sessionId: idSchema('session'),
    challengeId: idSchema('challenge'),
    password: newPasswordSchema,
    code: totpCodeSchema,
  }),
  reply: z.object({}),
});

/** Ten new recovery codes in the place of all before; shown this once. STEP_UP_REQUIRED as `addPasskey`. */
export const createRecoveryCodes = defineRpc({
  subject: 'rpc.identity.create-recovery-codes.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({ realm: realmSchema, sessionId: idSchema('session') }),
  reply: z.object({ codes: z.array(z.string()) }),
});
