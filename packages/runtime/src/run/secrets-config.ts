import { z } from 'zod';
import { listOf } from '#src/run/load-config.ts';
import { SecretBox } from '#src/secrets/secret-box.ts';

const keyBytes = 32;

/** A key for secrets at rest and what is derived from it: 32 bytes in base64. */
const secretsKeySchema = z
  .base64('must be base64')
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === keyBytes, `must be ${keyBytes} bytes in base64`);

/** Comma-separated. */
const previousKeysSchema = z.string().default('').transform(listOf).pipe(z.array(secretsKeySchema));

/** What a service reads that signs or seals. */
export const secretsConfigShape = {
  SECRETS_KEY: secretsKeySchema
    .describe('Key for secrets at rest and what is derived from it: 32 bytes in base64.')
    .meta({ secret: true }),
  SECRETS_KEYS_PREVIOUS: previousKeysSchema
    .describe('Older keys, separated by commas: they verify and open, and no longer sign or seal.')
    .meta({ secret: true }),
};

/** Configuration of a service that sends or receives secrets over the bus: the key is the same for all of them. */
export const busSecretsConfigShape = {
  ...secretsConfigShape,
  BUS_SECRETS_KEY: secretsKeySchema
    .optional()
    .describe('Key for secrets in messages, the same for all services. Without it SECRETS_KEY is used.')
    .meta({ secret: true }),
  BUS_SECRETS_KEYS_PREVIOUS: previousKeysSchema
    .describe('Older keys for secrets in messages, separated by commas.')
    .meta({ secret: true }),
};

/** Seals what crosses the bus, each message once. */
export function busSecretsOf(config: {
  readonly SECRETS_KEY: Buffer;
  readonly BUS_SECRETS_KEY?: Buffer | undefined;
  readonly BUS_SECRETS_KEYS_PREVIOUS: readonly Buffer[];
}): SecretBox {
  const keys = [config.BUS_SECRETS_KEY ?? config.SECRETS_KEY, ...config.BUS_SECRETS_KEYS_PREVIOUS];
  return new SecretBox(keys, { openedMax: 0 });
}
