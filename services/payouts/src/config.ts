import { z } from 'zod';
import { providersVariableSchema } from '@gateway/providers';
import { baseConfigShape, loadConfig } from '@gateway/runtime';

/** What payouts reads from its environment. */
export const configSchema = z.object({
  ...baseConfigShape,
  PROVIDERS: providersVariableSchema,
  PROVIDER_POLL_SEC: z.coerce.number().int().min(1).max(3_600).default(30).meta({
    description: "Time between two readings of a provider's lists. Notifications do not wait for it.",
    unit: 'seconds',
  }),
  PAYOUT_RECHECKS_PER_MINUTE: z.coerce.number().int().min(12).max(6_000).default(60).meta({
    description: 'Questions to one provider about payouts that have ended, for returns and late payments.',
    unit: 'calls per minute',
  }),
  SIMULATOR_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('A provider simulator whose providers are live instead of PROVIDERS; for development.'),
});

export function readConfig(env: NodeJS.ProcessEnv): z.infer<typeof configSchema> {
  return loadConfig(env, configSchema);
}
