import { z } from 'zod';

/** What the browser's `navigator.credentials` is called with, as JSON (WebAuthn Level 3, 5.1). Passed through unread. */
export const passkeyOptionsSchema = z.record(z.string(), z.unknown());

/** Attestation objects with a chain of certificates have some thousand characters. */
const encodedMax = 16_384;
const encoded = z
  .string()
  .max(encodedMax)
  .regex(/^[\w-]*$/, 'must be base64url');

const answerShape = {
  id: encoded,
  rawId: encoded,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/** `RegistrationResponseJSON` of WebAuthn Level 3. */
export const registrationAnswerSchema = z.object({
  ...answerShape,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z
      .array(z.string().regex(/^[\w-]{1,20}$/, 'must be the name of a transport'))
      .max(10)
      .optional(),
  }),
});

/** `AuthenticationResponseJSON` of WebAuthn Level 3. */
export const authenticationAnswerSchema = z.object({
  ...answerShape,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.optional(),
  }),
});
export type AuthenticationAnswer = z.infer<typeof authenticationAnswerSchema>;
export type RegistrationAnswer = z.infer<typeof registrationAnswerSchema>;

/** A new password. Length is what counts (NIST SP 800-63B-4, 3.1.1.2): no rules about its characters. */
export const newPasswordSchema = z
  .string()
  .min(15, 'must have at least 15 characters')
  .max(128, 'must have at most 128 characters');

/** A password as it is typed: bounded, since hashing takes time by its length. */
export const typedPasswordSchema = z.string().min(1).max(128);

/** A time-based code (RFC 6238): six digits. */
export const totpCodeSchema = z.string().regex(/^\d{6}$/, 'must be six digits');
