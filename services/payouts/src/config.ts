import { z } from 'zod';
import { providersVariableSchema } from '@gateway/providers';
import { baseConfigShape, loadConfig } from '@gateway/runtime';

const configSchema = z.object({
  ...baseConfigShape,
  /** Live providers, in the order they are asked. */
  PROVIDERS: providersVariableSchema,
  /** How often the lists of live providers are read; what is told by notification does not wait for it. */
  PROVIDER_POLL_SEC: z.coerce.number().int().min(1).max(3_600).default(30),
  /** Questions to one live provider about payouts that have ended: what came back of them, and late payments. */
  PAYOUT_RECHECKS_PER_MINUTE: z.coerce.number().int().min(12).max(6_000).default(60),
  /** A provider simulator whose providers are live instead of PROVIDERS; for development. */
  SIMULATOR_URL: z.url({ protocol: /^https?$/ }).optional(),
});

export function readConfig(env: NodeJS.ProcessEnv): z.infer<typeof configSchema> {
  return loadConfig(env, configSchema);
}
