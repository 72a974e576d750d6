import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { runProviderCheck } from '@gateway/providers';

// `npm run provider:check`: tries the configured providers, with the configuration of the services: the environment, else
// the `.env` of compose, else the stack that `npm start` runs.

const devFileSchema = z.object({ base_url: z.string(), simulator_url: z.string() });

function checkedEnvironment(): Record<string, string | undefined> {
  const env = { ...(existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}), ...process.env };
  if (env['PROVIDERS'] || env['SIMULATOR_URL']) return env;
  const devFile = join(env['GATEWAY_HOME'] ?? '.gateway', 'dev.json');
  if (!existsSync(devFile)) return env;
  const dev = devFileSchema.parse(JSON.parse(readFileSync(devFile, 'utf8')));
  return { PROVIDERS_CALLBACK_URL: dev.base_url, ...env, SIMULATOR_URL: dev.simulator_url };
}

process.exitCode = await runProviderCheck(process.argv.slice(2), {
  env: checkedEnvironment(),
  now: () => new Date(),
  print: (line) => void process.stdout.write(`${line}\n`),
});
