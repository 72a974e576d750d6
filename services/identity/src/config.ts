import { z } from 'zod';
import { baseConfigShape, busSecretsConfigShape, flagSchema, loadConfig } from '@gateway/runtime';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** What a passkey belongs to is a domain name: browsers refuse addresses (WebAuthn Level 3, 5.1.2). */
const consoleUrlSchema = z
  .url()
  .refine((text) => new URL(text).pathname === '/', 'must be an origin, without a path')
  .refine((text) => /[a-z]/i.test(new URL(text).hostname), 'must name a domain: passkeys belong to no address')
  .refine((text) => new URL(text).protocol === 'https:' || isLoopback(text), 'must be https, except on the own machine')
  .transform((text) => new URL(text).origin);

/** What identity reads from its environment. */
export const configSchema = z
  .object({
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
    DEV_LOGIN: flagSchema
      .default(false)
      .describe('Whether links sign in without a credential. Only on a machine whose consoles are on loopback.'),
  })
  .refine((config) => !config.DEV_LOGIN || [config.OPERATOR_CONSOLE_URL, config.CONSOLE_URL].every(isLoopback), {
    path: ['DEV_LOGIN'],
    message: 'is for consoles on loopback alone',
  });

export type Config = z.infer<typeof configSchema>;

/** @throws ConfigError naming every variable that does not fit */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, configSchema);
}

function isLoopback(url: string): boolean {
  return loopbackNames.includes(new URL(url).hostname);
}
