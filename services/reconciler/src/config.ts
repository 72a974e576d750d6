import { z } from 'zod';
import { providersVariableSchema } from '@gateway/providers';
import { baseConfigShape, loadConfig } from '@gateway/runtime';

/** What the reconciler reads from its environment. */
export const configSchema = z.object({
  ...baseConfigShape,
  PROVIDERS: providersVariableSchema,
  RECONCILER_PROVIDERS: providersVariableSchema
    .describe(
      'Providers of PROVIDERS with read-only credentials of their own for reading statements, in the same form; those that are not named are read with the credentials of PROVIDERS.',
    )
    .meta({ secret: true }),
  STATEMENT_CALLS_PER_MINUTE: z.coerce.number().int().min(10).max(100_000).default(60).meta({
    description: 'Questions to one provider about its statement, from one process.',
    unit: 'calls per minute',
  }),
  SIMULATOR_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('A provider simulator whose providers are live instead of PROVIDERS; for development.'),
});

export type Config = z.infer<typeof configSchema>;

/** The live providers, with the credentials that statements are read with. */
export function statementProviders({ PROVIDERS, RECONCILER_PROVIDERS }: Config): Config['PROVIDERS'] {
  const own = new Map(RECONCILER_PROVIDERS.map((provider) => [provider.id, provider]));
  return PROVIDERS.map((provider) => own.get(provider.id) ?? provider);
}

/** @throws ConfigError naming every variable that does not fit */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, configSchema);
}

const rebuildConfigSchema = z.object({
  DATABASE_URL: baseConfigShape.DATABASE_URL,
  INTERNAL_TLS_DIR: baseConfigShape.INTERNAL_TLS_DIR,
});

/** What `npm run reconciler:rebuild` needs: it runs beside the service, against the database alone. */
export function readRebuildConfig(env: NodeJS.ProcessEnv): z.infer<typeof rebuildConfigSchema> {
  return loadConfig(env, rebuildConfigSchema);
}
