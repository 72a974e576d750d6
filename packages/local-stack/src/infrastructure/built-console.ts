import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StartFailure, type Progress } from '#src/progress.ts';
import { repository } from '#src/state-directory.ts';

const workspace = join(repository, 'apps/console');
const builds = join(repository, '.gateway/console');
const builder = join(repository, 'node_modules/vite/bin/vite.js');
/** Long after the last start that could still read them. */
const keptMs = 30 * 86_400_000;

/**
 * The directory of the consoles, built from its sources as they are: anew only when they or the installed packages
 * have changed.
 *
 * @throws StartFailure with the builder's own words when it cannot be built
 */
export async function builtConsole(progress: Progress): Promise<string> {
  const built = join(builds, fingerprint());
  if (existsSync(built)) return built;
  mkdirSync(builds, { recursive: true, mode: 0o711 });
  progress('building the consoles …');
  // Built beside its place and moved there when it is whole: two builds at the same time do not disturb each other.
  const directory = mkdtempSync(join(builds, 'build-'));
  try {
    await build(directory);
    moveTo(directory, built);
    removeOld();
    return built;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Of everything that goes into the built files, and of the packages that the lockfile installs. */
function fingerprint(): string {
  const files = globSync(['apps/console/*.{ts,html,json}', 'apps/console/src/**/*.{ts,tsx,css,svg}'], {
    cwd: repository,
    exclude: ['**/*.test.ts'],
  });
  const inputs = [...files, 'package-lock.json', 'tsconfig.base.json'].sort();
  const digests = inputs.map((file) => `${file} ${hash('sha256', readFileSync(join(repository, file)))}`);
  return hash('sha256', digests.join('\n')).slice(0, 16);
}

async function build(directory: string): Promise<void> {
  const args = [builder, 'build', '--outDir', directory, '--emptyOutDir', '--logLevel', 'warn'];
  const child = spawn(process.execPath, args, {
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Tests have another one, with which React's checks for developers would go into the files.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new StartFailure(`the consoles cannot be built: ${`${errors}${out}`.trim()}`);
}

/** What another build has put there in the meantime is the same. */
function moveTo(directory: string, place: string): void {
  try {
    renameSync(directory, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  }
}

function removeOld(): void {
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - changedAt > keptMs) rmSync(path, { recursive: true, force: true });
  }
}
