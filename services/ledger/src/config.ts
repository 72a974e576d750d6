import { z } from 'zod';
import { baseConfigShape, loadConfig } from '@gateway/service-kit';

const configSchema = z.object({
  ...baseConfigShape,
  /** Hour of the day (UTC) of the daily reconciliation. */
  RECONCILIATION_HOUR_UTC: z.coerce.number().int().min(0).max(23).default(3),
});

export type Config = z.infer<typeof configSchema>;

/** The only reader of this service's environment. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, configSchema);
}

const verifyConfigSchema = z.object({ DATABASE_URL: baseConfigShape.DATABASE_URL });

/** What `npm run ledger:verify` needs: it runs beside the service, against the database alone. */
export function readVerifyConfig(env: NodeJS.ProcessEnv): z.infer<typeof verifyConfigSchema> {
  return loadConfig(env, verifyConfigSchema);
}
