import { z } from 'zod';
import { baseConfigShape, listOf, loadConfig, portSchema } from '@gateway/runtime';
import { dialectNames } from '#src/account/charge.ts';

/** What the simulator reads from its environment. */
export const configSchema = z
  .object({
    DATABASE_URL: baseConfigShape.DATABASE_URL,
    INTERNAL_TLS_DIR: baseConfigShape.INTERNAL_TLS_DIR,
    HOST: z.string().default('127.0.0.1').describe('Address the simulator listens on.'),
    PORT: portSchema(9090).describe('Port of the simulator; 0 picks a free one.'),
    PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('The simulator as integrators reach it, when it is not `http://HOST:PORT`.'),
    ACCOUNTS: z
      .string()
      .default('efi,woovi,spei')
      .transform(listOf)
      .pipe(z.array(z.enum(dialectNames)))
      .describe(
        'Accounts that the control interface offers a gateway as its providers, separated by commas: bacen, efi, spei, woovi.',
      ),
    // No real money: the defaults of the credentials are meant to be known.
    BACEN_CLIENT_ID: z
      .string()
      .min(1)
      .default('Client_Id_simulator')
      .describe("The integrator's application at the BACEN and Efí dialect."),
    BACEN_CLIENT_SECRET: z
      .string()
      .min(1)
      .default('Client_Secret_simulator')
      .describe('The secret of that application.'),
    RECEIVING_KEY: z
      .string()
      .min(3)
      .default('recebimentos@simulator.test')
      .describe('PIX key that receives deposits, at the BACEN and Efí dialect.'),
    PAYING_KEY: z.string().min(3).default('pagamentos@simulator.test').describe('PIX key that sends payouts there.'),
    NOTIFICATION_SECRET: z
      .string()
      .min(16)
      .default('simulator-notification-secret')
      .describe(
        "Secret in the gateway's notification address; part of the configuration that the control interface shows.",
      ),
    WOOVI_APP_ID: z
      .string()
      .min(1)
      .default('AppId_simulator')
      .describe("The integrator's application at the Woovi dialect."),
    WOOVI_WEBHOOK_SECRET: z
      .string()
      .min(8)
      .default('simulator-woovi-webhook-secret')
      .describe("Secret of the HMAC signature of the Woovi dialect's webhooks."),
    WOOVI_ACCOUNT_ID: z
      .string()
      .min(1)
      .default('simulatoraccount')
      .describe("The integrator's account at the Woovi dialect."),
    FINTOC_SECRET_KEY: z
      .string()
      .min(8)
      .default('sk_test_simulator')
      .describe("The integrator's secret key at the Fintoc dialect."),
    FINTOC_ACCOUNT_ID: z
      .string()
      .min(1)
      .default('acc_simulator')
      .describe("The integrator's account at the Fintoc dialect."),
    FINTOC_WEBHOOK_SECRET: z
      .string()
      .min(8)
      .default('whsec_simulator')
      .describe("Secret of the signature of the Fintoc dialect's webhooks."),
    BITSO_API_KEY: z.string().min(1).default('simulator').describe("The integrator's key at the exchange."),
    BITSO_API_SECRET: z
      .string()
      .min(8)
      .default('simulator-bitso-secret')
      .describe('The secret that calls of the exchange are signed with.'),
    NOTIFICATION_RETRY_MS: z.coerce.number().int().positive().default(1_000).meta({
      description: 'Delay before the first repetition of a notification, doubled with each one.',
      unit: 'milliseconds',
    }),
    NOTIFICATION_ATTEMPTS_MAX: z.coerce
      .number()
      .int()
      .positive()
      .default(10)
      .describe('Attempts of one notification at most.'),
    TLS_CERTIFICATE_FILE: z
      .string()
      .optional()
      .describe('PEM file of the certificate, for mutual TLS as at real providers; all three files or none.'),
    TLS_PRIVATE_KEY_FILE: z.string().optional().describe('PEM file of its private key.'),
    TLS_CLIENT_AUTHORITY_FILE: z.string().optional().describe('PEM file of the authority of client certificates.'),
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
