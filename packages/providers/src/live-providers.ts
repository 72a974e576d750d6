import { z } from 'zod';
import { providersConfigSchema, type ProviderConfig } from '#src/providers-from-config.ts';

/** Environment variable `PROVIDERS`: JSON in the form of `providersConfigSchema`; no live providers without it. */
export const providersVariableSchema = z
  .string()
  .default('[]')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON: a list of providers' });
      return z.NEVER;
    }
  })
  .pipe(providersConfigSchema)
  .describe(
    'The live providers with their credentials, as JSON, in the order in which they are asked.',
  ) satisfies z.ZodType<ProviderConfig[]>;
