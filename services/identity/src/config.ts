import { z } from 'zod';
import type { Realm } from '@gateway/contracts/identity';
import { baseConfigShape, busSecretsConfigShape, flagSchema, listOf, loadConfig } from '@gateway/runtime';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const issuerPath = '/session/issuer/callback';

/** What a passkey belongs to is a domain name: browsers refuse addresses (WebAuthn Level 3, 5.1.2). */
const consoleUrlSchema = z
  .url()
  .refine((text) => new URL(text).pathname === '/', 'must be an origin, without a path')
  .refine((text) => /[a-z]/i.test(new URL(text).hostname), 'must name a domain: passkeys belong to no address')
  .refine((text) => new URL(text).protocol === 'https:' || isLoopback(text), 'must be https, except on the own machine')
  .transform((text) => new URL(text).origin);

const issuerUrlSchema = z
  .url({ protocol: /^https?$/ })
  .refine((text) => text.startsWith('https:') || isLoopback(text), 'must be https, except on the own machine')
  .refine((text) => !/[?#]/.test(text), 'must have no query and no fragment')
  .optional();
const issuerSecretSchema = z.string().min(16).optional();
const issuerTextSchema = z.string().min(1).max(255).optional();
const issuerNameSchema = z.string().min(1).max(40).optional();
const acrValuesSchema = z.string().default('').transform(listOf);

/** What identity reads from its environment. */
const configShape = {
  ...baseConfigShape,
  ...busSecretsConfigShape,
  OPERATOR_CONSOLE_URL: consoleUrlSchema
    .default('http://localhost:9080')
    .describe('Where operators sign in: their passkeys belong to its domain, and links to sign in begin with it.'),
  CONSOLE_URL: consoleUrlSchema
    .default('http://localhost:8088')
    .describe('Where the people of merchants sign in, as OPERATOR_CONSOLE_URL.'),
  PASSKEYS_FOR_MONEY: z.coerce
    .number()
    .int()
    .min(1)
    .max(2)
    .default(2)
    .describe('Passkeys an operator needs before permissions about money are given.'),
  OPERATOR_ISSUER_URL: issuerUrlSchema.describe(
    'Issuer of OpenID Connect at which operators may sign in too, exactly as its tokens name it; without it there is none. Its redirect address for the gateway is OPERATOR_CONSOLE_URL with `/session/issuer/callback`.',
  ),
  OPERATOR_ISSUER_CLIENT_ID: issuerTextSchema.describe('Id of the gateway at the issuer of operators.'),
  OPERATOR_ISSUER_CLIENT_SECRET: issuerSecretSchema
    .describe('Secret of the gateway at the issuer of operators, at least 16 characters.')
    .meta({ secret: true }),
  OPERATOR_ISSUER_NAME: issuerNameSchema.describe(
    'What the page to sign in calls the issuer of operators; the name of its host where it is left out.',
  ),
  OPERATOR_ISSUER_ACR_VALUES: acrValuesSchema.describe(
    'Values of `acr` by which the issuer of operators states that it used several factors, besides `mfa` in `amr`, separated by commas. It is asked for them.',
  ),
  CONSOLE_ISSUER_URL: issuerUrlSchema.describe(
    'Issuer of OpenID Connect at which the people of merchants may sign in too, as OPERATOR_ISSUER_URL, with CONSOLE_URL.',
  ),
  CONSOLE_ISSUER_CLIENT_ID: issuerTextSchema.describe('Id of the gateway at the issuer of merchants’ people.'),
  CONSOLE_ISSUER_CLIENT_SECRET: issuerSecretSchema
    .describe('Secret of the gateway at that issuer.')
    .meta({ secret: true }),
  CONSOLE_ISSUER_NAME: issuerNameSchema.describe('What the page to sign in calls it, as OPERATOR_ISSUER_NAME.'),
  CONSOLE_ISSUER_ACR_VALUES: acrValuesSchema.describe('As OPERATOR_ISSUER_ACR_VALUES.'),
  DEV_LOGIN: flagSchema
    .default(false)
    .describe('Whether links sign in without a credential. Only on a machine whose consoles are on loopback.'),
};

export const configSchema = z
  .object(configShape)
  .refine((config) => !config.DEV_LOGIN || [config.OPERATOR_CONSOLE_URL, config.CONSOLE_URL].every(isLoopback), {
    path: ['DEV_LOGIN'],
    message: 'is for consoles on loopback alone',
  })
  .superRefine((config, context) => {
    for (const prefix of ['OPERATOR', 'CONSOLE'] as const) {
      const names = [`${prefix}_ISSUER_URL`, `${prefix}_ISSUER_CLIENT_ID`, `${prefix}_ISSUER_CLIENT_SECRET`] as const;
      const missing = names.filter((name) => config[name] === undefined);
      if (missing.length === 0 || missing.length === names.length) continue;
      for (const name of missing) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `belongs to the other settings of ${prefix}_ISSUER`,
        });
      }
    }
  });

export type Config = z.infer<typeof configSchema>;

/** One issuer, and what the gateway is to it. */
export interface IssuerSettings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly acrValues: readonly string[];
  /** Where the issuer sends the browser back to. */
  readonly redirectUrl: string;
}
export type IssuersOfRealms = Readonly<Record<Realm, IssuerSettings | null>>;

/** @throws ConfigError naming every variable that does not fit */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, configSchema);
}

/** The issuer of each realm; null where none is configured. */
export function issuersOf(config: Config): IssuersOfRealms {
  return {
    operator: issuerOf(config.OPERATOR_CONSOLE_URL, {
      url: config.OPERATOR_ISSUER_URL,
      clientId: config.OPERATOR_ISSUER_CLIENT_ID,
      clientSecret: config.OPERATOR_ISSUER_CLIENT_SECRET,
      name: config.OPERATOR_ISSUER_NAME,
      acrValues: config.OPERATOR_ISSUER_ACR_VALUES,
    }),
    merchant: issuerOf(config.CONSOLE_URL, {
      url: config.CONSOLE_ISSUER_URL,
      clientId: config.CONSOLE_ISSUER_CLIENT_ID,
      clientSecret: config.CONSOLE_ISSUER_CLIENT_SECRET,
      name: config.CONSOLE_ISSUER_NAME,
      acrValues: config.CONSOLE_ISSUER_ACR_VALUES,
    }),
  };
}

interface GivenSettings {
  readonly url: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly name: string | undefined;
  readonly acrValues: readonly string[];
}

function issuerOf(origin: string, given: GivenSettings): IssuerSettings | null {
  const { url, clientId, clientSecret, name, acrValues } = given;
  if (url === undefined || clientId === undefined || clientSecret === undefined) return null;
  const redirectUrl = `${origin}${issuerPath}`;
  return { url, clientId, clientSecret, name: name ?? new URL(url).hostname, acrValues, redirectUrl };
}

function isLoopback(url: string): boolean {
  return loopbackNames.includes(new URL(url).hostname);
}
