import { z } from 'zod';
import { baseConfigShape, loadConfig } from '@gateway/service-kit';

const configSchema = z.object(baseConfigShape);

export function readConfig(env: NodeJS.ProcessEnv): z.infer<typeof configSchema> {
  return loadConfig(env, configSchema);
}
