import { z } from 'zod';
import { baseConfigShape, loadConfig, portSchema } from '@gateway/service-kit';

const secretsKeyBytes = 32;

/** Where the five operations are mounted (spec 4.1): the canonical prefix, the second connector's, and the earlier one. */
const prefixesDefault = '/compat/cli,/compat/alt/cli,/cli';

const configSchema = z.object({
  ...baseConfigShape,
  HOST: z.string().default('127.0.0.1'),
  PORT: portSchema(8081),
  COMPAT_PREFIXES: z
    .string()
    .default(prefixesDefault)
    .transform((text) => [...new Set(text.split(',').map((prefix) => prefix.trim()))])
    .pipe(z.array(z.string().regex(/^(\/[a-z0-9-]+)+$/, 'must be paths such as /compat/cli, separated by commas'))),
  SECRETS_KEY: z
    .base64('must be base64')
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((key) => key.length === secretsKeyBytes, `must be ${secretsKeyBytes} bytes in base64`),
});

/** @throws ConfigError naming every variable that does not fit */
export function readConfig(env: NodeJS.ProcessEnv): z.infer<typeof configSchema> {
  return loadConfig(env, configSchema);
}
