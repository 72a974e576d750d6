import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gatewayServices } from '#src/stack/gateway-services.ts';
import { compileCache, warmCompileCache } from '#src/stack/service-process.ts';
import { temporaryHome } from '#src/stack/homes.ts';
import { StateDirectory } from '#src/state-directory.ts';

test('before the first start the sources of every service are in the compile cache, and no service has run', async () => {
  using directory = temporaryHome();
  const home = StateDirectory.create(directory.path);
  const cache = compileCache(home);
  await warmCompileCache(cache, gatewayServices);
  const entries = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // Every file of ours is kept twice, stripped and compiled, and hundreds of the packages' once.
  expect(entries.length).toBeGreaterThan(1_000);
  expect(readdirSync(home.path).sort()).toEqual(['compile-cache', 'logs', 'run']);
});
