import { z } from 'zod';
import { baseConfigShape, loadConfig, portSchema } from '@gateway/runtime';

const configSchema = z
  .object({
    DATABASE_URL: baseConfigShape.DATABASE_URL,
    INTERNAL_TLS_DIR: baseConfigShape.INTERNAL_TLS_DIR,
    HOST: z.string().default('127.0.0.1'),
    PORT: portSchema(9090),
    /** Where integrators reach it, when that is not `http://HOST:PORT`. */
    PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** The integrator's application at the BACEN and Efí dialect. No real money: the defaults are meant to be known. */
    BACEN_CLIENT_ID: z.string().min(1).default('Client_Id_simulator'),
    BACEN_CLIENT_SECRET: z.string().min(1).default('Client_Secret_simulator'),
    /** Keys of the integrator's account there. */
    RECEIVING_KEY: z.string().min(3).default('recebimentos@simulator.test'),
    PAYING_KEY: z.string().min(3).default('pagamentos@simulator.test'),
    /** What the gateway puts into its notification address; told with its configuration, used by nothing here. */
    NOTIFICATION_SECRET: z.string().min(16).default('simulator-notification-secret'),
    WOOVI_APP_ID: z.string().min(1).default('AppId_simulator'),
    /** What every webhook of the account is signed with besides; at Woovi each has one of its own. */
    WOOVI_WEBHOOK_SECRET: z.string().min(8).default('simulator-woovi-webhook-secret'),
    WOOVI_ACCOUNT_ID: z.string().min(1).default('simulatoraccount'),
    SPEI_API_KEY: z.string().min(1).default('spei_key_simulator'),
    /** What notifications of SPEI are signed with. */
    SPEI_NOTIFICATION_SECRET: z.string().min(16).default('simulator-spei-notification-secret'),
    /** Pause before the first repetition of a notification, doubled with each one. */
    NOTIFICATION_RETRY_MS: z.coerce.number().int().positive().default(1_000),
    NOTIFICATION_ATTEMPTS_MAX: z.coerce.number().int().positive().default(10),
    /** Mutual TLS as at the real ones; paths of PEM files, all three or none. */
    TLS_CERTIFICATE_FILE: z.string().optional(),
    TLS_PRIVATE_KEY_FILE: z.string().optional(),
    TLS_CLIENT_AUTHORITY_FILE: z.string().optional(),
  })
  .refine(
    (config) =>
      new Set(
        [config.TLS_CERTIFICATE_FILE, config.TLS_PRIVATE_KEY_FILE, config.TLS_CLIENT_AUTHORITY_FILE].map(
          (file) => file === undefined,
        ),
      ).size === 1,
    { message: 'TLS takes certificate, private key and client authority together', path: ['TLS_CERTIFICATE_FILE'] },
  );

export type Config = z.infer<typeof configSchema>;

/** @throws ConfigError naming every variable that does not fit */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, configSchema);
}

/** Where integrators reach the simulator. */
export function publicUrlOf(config: Config, port: number): string {
  return config.PUBLIC_URL ?? `${config.TLS_CERTIFICATE_FILE ? 'https' : 'http'}://${config.HOST}:${port}`;
}
