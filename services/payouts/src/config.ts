import { z } from 'zod';
import { providersVariableSchema } from '@gateway/providers';
import { baseConfigShape, loadConfig } from '@gateway/service-kit';

const configSchema = z.object({
  ...baseConfigShape,
  /** Live providers, in the order they are asked. */
  PROVIDERS: providersVariableSchema,
  /** Questions to one live provider about payouts that have ended: what came back of them, and late payments. */
  PAYOUT_RECHECKS_PER_MINUTE: z.coerce.number().int().min(12).max(6_000).default(60),
  /** A provider simulator whose providers are live instead of PROVIDERS; for development. */
  SIMULATOR_URL: z.url({ protocol: /^https?$/ }).optional(),
});

export function readConfig(env: NodeJS.ProcessEnv): z.infer<typeof configSchema> {
  return loadConfig(env, configSchema);
}
