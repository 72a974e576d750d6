import { z } from 'zod';

const keyBytes = 32;

/** A key for secrets at rest and what is derived from it: 32 bytes in base64. */
const secretsKeySchema = z
  .base64('must be base64')
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === keyBytes, `must be ${keyBytes} bytes in base64`);

/** What a service reads that signs or seals. */
export const secretsConfigShape = {
  SECRETS_KEY: secretsKeySchema,
  /** Older keys, comma-separated: they verify and open, they no longer sign or seal. */
  SECRETS_KEYS_PREVIOUS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(secretsKeySchema)),
};
