import { hostname } from 'node:os';
import { z } from 'zod';
import { baseConfigShape, busSecretsConfigShape, busSecretsOf, flagSchema, listOf, loadConfig } from '@gateway/runtime';

const listSchema = z.string().default('').transform(listOf);

/** What webhooks reads from its environment. */
export const configSchema = z.object({
  ...baseConfigShape,
  ...busSecretsConfigShape,
  WEBHOOK_ALLOW_INSECURE_TARGETS: flagSchema
    .default(false)
    .describe("Allows http and receivers on loopback or private addresses; for a developer's machine alone."),
  WEBHOOK_FORBIDDEN_RANGES: listSchema
    .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()])))
    .describe("The deployment's own networks, which are no receivers: CIDR ranges, separated by commas."),
  WEBHOOK_FORBIDDEN_HOSTS: listSchema.describe(
    "The deployment's own names, which are no receivers, separated by commas.",
  ),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The gateway as merchants reach it, whose host is no receiver either.'),
  WEBHOOK_DNS_SERVERS: listSchema.describe(
    "Name servers instead of the system's: addresses, with a port behind a colon where it is not 53, separated by commas.",
  ),
  EVENT_LOG_DAYS_LIVE: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_653)
    .default(30)
    .meta({ description: 'For how many days the event log keeps events of live keys.', unit: 'days' }),
  EVENT_LOG_DAYS_TEST: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_653)
    .default(7)
    .meta({ description: 'For how many days the event log keeps events of test keys.', unit: 'days' }),
});

/** The only reader of the environment (style.md 3). */
export function readConfig(env: NodeJS.ProcessEnv) {
  const config = loadConfig(env, configSchema);
  return {
    connections: config,
    busSecrets: busSecretsOf(config),
    secretsKeys: [config.SECRETS_KEY, ...config.SECRETS_KEYS_PREVIOUS],
    targets: {
      allowInsecure: config.WEBHOOK_ALLOW_INSECURE_TARGETS,
      forbiddenRanges: config.WEBHOOK_FORBIDDEN_RANGES,
      forbiddenHosts: [...config.WEBHOOK_FORBIDDEN_HOSTS, ...hostsOf(config.PUBLIC_URL)],
    },
    dnsServers: config.WEBHOOK_DNS_SERVERS,
    eventLogDays: { live: config.EVENT_LOG_DAYS_LIVE, test: config.EVENT_LOG_DAYS_TEST },
    replica: `${hostname()}:${process.pid}`,
  };
}

function hostsOf(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).hostname];
}
