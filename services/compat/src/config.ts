import { z } from 'zod';
import { baseConfigShape, loadConfig, portSchema, busSecretsConfigShape } from '@gateway/runtime';

/** The gateway on the same machine. */
const gatewayAddressesDefault = '127.0.0.1,::1';

/**
 * Where the five operations are mounted (spec 4.1): the canonical prefix, the second connector's, and the earlier one.
 */
const prefixesDefault = '/compat/cli,/compat/alt/cli,/cli';

const configSchema = z.object({
  ...baseConfigShape,
  ...busSecretsConfigShape,
  HOST: z.string().default('127.0.0.1'),
  PORT: portSchema(8081),
  COMPAT_PREFIXES: z
    .string()
    .default(prefixesDefault)
    .transform((text) => [...new Set(text.split(',').map((prefix) => prefix.trim()))])
    .pipe(z.array(z.string().regex(/^(\/[a-z0-9-]+)+$/, 'must be paths such as /compat/cli, separated by commas'))),
  /** The gateway's addresses, from which X-Forwarded-For is trusted to name the client's address. */
  GATEWAY_ADDRESSES: z
    .string()
    .default(gatewayAddressesDefault)
    .transform((text) => text.split(',').map((address) => address.trim()))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or CIDR ranges'))),
});

/** @throws ConfigError naming every variable that does not fit */
export function readConfig(env: NodeJS.ProcessEnv): z.infer<typeof configSchema> {
  return loadConfig(env, configSchema);
}
