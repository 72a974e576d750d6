import { z } from 'zod';
import { currencySchema } from '@gateway/money';
import { providersVariableSchema } from '@gateway/providers';
import { baseConfigShape, loadConfig, secretsConfigShape } from '@gateway/runtime';

const jsonOf = (form: string) =>
  z
    .string()
    .default('{}')
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: `must be JSON: ${form}` });
        return z.NEVER;
      }
    });

const weightsSchema = jsonOf('{"provider": weight}').pipe(z.record(z.string(), z.int().min(0).max(1_000)));

const tariffsSchema = jsonOf('{"provider": {"BRL": [cents]}}').pipe(
  z.record(z.string(), z.partialRecord(currencySchema, z.array(z.int().positive()).max(100))),
);

const urlSchema = z.url({ protocol: /^https?$/ }).optional();

/** What deposits reads from its environment. */
export const configSchema = z.object({
  ...baseConfigShape,
  ...secretsConfigShape,
  PROVIDERS: providersVariableSchema,
  PROVIDER_WEIGHTS: weightsSchema.describe(
    'Share of the new charges of each provider, as JSON `{"provider": weight}`; 1 where it is missing, and with 0 a provider is used only when no other can be.',
  ),
  PROVIDER_TARIFFS: tariffsSchema.describe(
    'What each provider takes for an operation, in minor units, as JSON `{"provider": {"BRL": [85]}}`. A fee of its statement that is among them is booked as our cost; any other is left to operators.',
  ),
  PROVIDER_POLL_SEC: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_600)
    .default(30)
    .meta({ description: "Time between two readings of a provider's lists.", unit: 'seconds' }),
  PROVIDER_CALLS_PER_MINUTE: z.coerce.number().int().min(10).max(100_000).default(120).meta({
    description: 'Questions to one provider, of lists and single records, from one process.',
    unit: 'calls per minute',
  }),
  PIX_PARTICIPANTS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Table of the participants of PIX, with columns `ispb` and `name` or as the Banco Central publishes its lists. It takes the place of the shipped one, and is read again when it changes.',
    ),
  SIMULATOR_URL: urlSchema.describe(
    'A provider simulator whose providers are live instead of PROVIDERS; for development.',
  ),
  PUBLIC_URL: urlSchema.describe('The gateway as merchants and payers reach it: links to payment pages begin with it.'),
  PROVIDERS_CALLBACK_URL: urlSchema.describe(
    'The gateway as providers reach it. With it, notifications are registered with each provider at start.',
  ),
});
export type Config = z.infer<typeof configSchema>;

export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, configSchema);
}
