import { z } from 'zod';
import { providersVariableSchema } from '@gateway/providers';
import { baseConfigShape, loadConfig, secretsConfigShape } from '@gateway/runtime';

const weightsSchema = z
  .string()
  .default('{}')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON: {"provider": weight}' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.int().min(0).max(1_000)));

const urlSchema = z.url({ protocol: /^https?$/ }).optional();

const configSchema = z.object({
  ...baseConfigShape,
  ...secretsConfigShape,
  PROVIDERS: providersVariableSchema,
  /** How much of the new charges each provider gets; 1 where nothing is said, 0 only when nobody else can. */
  PROVIDER_WEIGHTS: weightsSchema,
  /** How often each provider's lists are read, for what no notification told. */
  PROVIDER_POLL_SEC: z.coerce.number().int().min(1).max(3_600).default(30),
  /** Questions to each provider, of lists and of what is asked about singly; per process. */
  PROVIDER_CALLS_PER_MINUTE: z.coerce.number().int().min(10).max(100_000).default(120),
  /** A provider simulator whose providers are live instead of PROVIDERS; for development. */
  SIMULATOR_URL: urlSchema,
  /** How merchants and payers reach the gateway: links to QR pictures begin with it. */
  PUBLIC_URL: urlSchema,
  /** Where providers reach the gateway; they are told at start when it is given. */
  PROVIDERS_CALLBACK_URL: urlSchema,
});
export type Config = z.infer<typeof configSchema>;

export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, configSchema);
}
