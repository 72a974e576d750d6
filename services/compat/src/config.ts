import { z } from 'zod';
import { baseConfigShape, loadConfig, portSchema, busSecretsConfigShape } from '@gateway/runtime';

/** The gateway on the same machine. */
const gatewayAddressesDefault = '127.0.0.1,::1';

/**
 * Where the five operations are mounted (spec 4.1): the canonical prefix, the second connector's, and the earlier one.
 */
const prefixesDefault = '/compat/cli,/compat/alt/cli,/cli';

/** What the connector's facade reads from its environment. */
export const configSchema = z.object({
  ...baseConfigShape,
  ...busSecretsConfigShape,
  HOST: z.string().default('127.0.0.1').describe('Address the facade listens on.'),
  PORT: portSchema(8081).describe('Port of the facade; 0 picks a free one.'),
  COMPAT_PREFIXES: z
    .string()
    .default(prefixesDefault)
    .transform((text) => [...new Set(text.split(',').map((prefix) => prefix.trim()))])
    .pipe(z.array(z.string().regex(/^(\/[a-z0-9-]+)+$/, 'must be paths such as /compat/cli, separated by commas')))
    .describe('Paths below which the five operations are mounted, separated by commas.'),
  GATEWAY_ADDRESSES: z
    .string()
    .default(gatewayAddressesDefault)
    .transform((text) => text.split(',').map((address) => address.trim()))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or CIDR ranges')))
    .describe(
      "Addresses and ranges the gateway calls from, whose X-Forwarded-For has the client's address; separated by commas.",
    ),
});

/** @throws ConfigError naming every variable that does not fit */
export function readConfig(env: NodeJS.ProcessEnv): z.infer<typeof configSchema> {
  return loadConfig(env, configSchema);
}
