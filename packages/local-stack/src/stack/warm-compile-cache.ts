import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Service } from '#src/stack/service.ts';
import type { StateDirectory } from '#src/stack/state-directory.ts';

const warmTimeoutMs = 30_000;

// Loads every service as far as its configuration, which refuses the port and ends it: here, by an exception.
const importAll = `
import { flushCompileCache } from 'node:module';
const exit = process.exit;
process.exit = () => { throw new Error('not to be run'); };
for (const file of process.argv.slice(1)) await import(file).catch(() => undefined);
flushCompileCache();
exit(0);
`;

/** Where the services' processes keep what Node made of the sources. */
export function compileCache(home: StateDirectory): string {
  return join(home.path, 'compile-cache');
}

/**
 * Before the very first start, one process strips and compiles what the services will load. Each of them would else
 * do it for itself, and keep the 20 MB it takes.
 */
export async function warmCompileCache(home: StateDirectory, services: readonly Service[]): Promise<void> {
  if (existsSync(compileCache(home))) return;
  const modules = services.map(({ script }) => pathToFileURL(script).href);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', importAll, ...modules], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache(home), INTERNAL_PORT: 'none' },
    stdio: 'ignore',
    timeout: warmTimeoutMs,
  });
  // Whatever becomes of it, the services start; at worst as slowly as they would have without it.
  await once(child, 'exit');
}
