import { hostname } from 'node:os';
import { z } from 'zod';
import { busSettings } from '@gateway/messaging';
import { baseConfigShape, busSecretsConfigShape, busSecretsOf, flagSchema, loadConfig } from '@gateway/runtime';

const listSchema = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

const schema = z.object({
  ...baseConfigShape,
  ...busSecretsConfigShape,
  /** Allows http and loopback or private receivers: for a developer's machine only. */
  WEBHOOK_ALLOW_INSECURE_TARGETS: flagSchema.default(false),
  /** The deployment's own networks and names, which are no receivers either. */
  WEBHOOK_FORBIDDEN_RANGES: listSchema.pipe(z.array(z.union([z.cidrv4(), z.cidrv6()]))),
  WEBHOOK_FORBIDDEN_HOSTS: listSchema,
  /** How merchants reach the gateway, whose host is no receiver either. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Name servers (address, or address:port) instead of the system's. */
  WEBHOOK_DNS_SERVERS: listSchema,
});

/** The only reader of the environment (style.md 3). */
export function readConfig(env: NodeJS.ProcessEnv) {
  const config = loadConfig(env, schema);
  return {
    databaseUrl: config.DATABASE_URL,
    internalTls: config.INTERNAL_TLS_DIR,
    bus: { ...busSettings(config), secrets: busSecretsOf(config) },
    secretsKeys: [config.SECRETS_KEY, ...config.SECRETS_KEYS_PREVIOUS],
    targets: {
      allowInsecure: config.WEBHOOK_ALLOW_INSECURE_TARGETS,
      forbiddenRanges: config.WEBHOOK_FORBIDDEN_RANGES,
      forbiddenHosts: [...config.WEBHOOK_FORBIDDEN_HOSTS, ...hostsOf(config.PUBLIC_URL)],
    },
    dnsServers: config.WEBHOOK_DNS_SERVERS,
    replica: `${hostname()}:${process.pid}`,
  };
}

function hostsOf(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).hostname];
}
