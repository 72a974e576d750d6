import { z } from 'zod';
import { providersVariableSchema } from '@gateway/providers';
import { baseConfigShape, loadConfig } from '@gateway/runtime';

/** What the reconciler reads from its environment. */
export const configSchema = z.object({
  ...baseConfigShape,
  PROVIDERS: providersVariableSchema,
  SIMULATOR_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('A provider simulator whose providers are live instead of PROVIDERS; for development.'),
});

/** @throws ConfigError naming every variable that does not fit */
export function readConfig(env: NodeJS.ProcessEnv): z.infer<typeof configSchema> {
  return loadConfig(env, configSchema);
}
