import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { hasDebianPackages, installPackages, unpackPackage } from '#src/infrastructure/debian-packages.ts';
import { StartFailure, type Progress } from '#src/progress.ts';

/** The nats-server that is shipped, and so the one that is tested: compose, the tests' containers and a build use it. */
export const natsVersion = '2.15.2';
/** From here on a nats-server that is installed does instead of the shipped one. */
const currentMinor = 12;

const goPackage = `github.com/nats-io/nats-server/v2@v${natsVersion}`;
/** A module proxy that does not answer is given up long before a slow build is. */
const downloadTimeoutMs = 2 * 60_000;
const buildTimeoutMs = 10 * 60_000;
// Debian puts it into /usr/sbin, which is not on an ordinary user's PATH.
const systemDirectories = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
const hint = `nats-server is missing: name one in NATS_SERVER, or install it (2.${currentMinor} or newer) or Go on PATH`;

/**
 * The nats-server to run: the one NATS_SERVER names; one on PATH that is new enough; the shipped version, built once by Go
 * into the user's cache; else the old one that there is or that Debian has, with a line that says what it lacks.
 *
 * @throws StartFailure when there is none and none can be had.
 */
export async function natsBinary(
  progress: Progress,
  directories: readonly string[] = systemDirectories,
  limits = { downloadTimeoutMs, buildTimeoutMs },
): Promise<string> {
  const named = process.env.NATS_SERVER;
  if (named) {
    if (versionOf(named) === undefined) throw new StartFailure(`NATS_SERVER=${named} is no nats-server that runs`);
    return named;
  }
  const installed = installedServers(directories);
  const found =
    installed.find(isCurrent) ??
    (await builtByGo(progress, limits)) ??
    installed[0] ??
    (await fromDebian(progress, directories));
  if (!isCurrent(found)) {
    progress(
      `nats-server ${versionOf(found)} is used, and ${natsVersion} is shipped: the old one gets no fixes any more, keeps its ` +
        'streams otherwise, and has no TLS from the first byte. Install Go or name a newer one in NATS_SERVER.',
    );
  }
  return found;
}

/** `2.15.2`; undefined for what does not run. */
function versionOf(binary: string): string | undefined {
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return /v(\d+\.\d+\.\d+\S*)/.exec(stdout ?? '')?.[1];
}

function isCurrent(binary: string): boolean {
  const [major = 0, minor = 0] = (versionOf(binary) ?? '').split('.').map(Number);
  return major > 2 || (major === 2 && minor >= currentMinor);
}

function installedServers(directories: readonly string[]): string[] {
  const places = [...(process.env.PATH ?? '').split(delimiter), ...directories, debianDirectory()];
  return places.map((directory) => join(directory, 'nats-server')).filter((file) => existsSync(file));
}

/** Outside the clone, so that every clone of the user finds it. */
function cacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'instant-payment-gateway');
}

/** Built beside its place and moved there when it is whole: two builds at the same time do not disturb each other. */
async function builtByGo(
  progress: Progress,
  limits: { readonly downloadTimeoutMs: number; readonly buildTimeoutMs: number },
): Promise<string | undefined> {
  const built = join(cacheDirectory(), `nats-server-${natsVersion}`);
  if (existsSync(built)) return built;
  if (spawnSync('go', ['version']).status !== 0) return undefined;
  mkdirSync(cacheDirectory(), { recursive: true });
  const directory = mkdtempSync(join(cacheDirectory(), 'build-'));
  try {
    progress(`building nats-server ${natsVersion} with Go, once: about a minute …`);
    const env = { ...process.env, GOBIN: directory, CGO_ENABLED: '0', GOTOOLCHAIN: 'local' };
    const go = async (args: readonly string[], timeout: number): Promise<boolean> => {
      const options = { env, cwd: directory, stdio: 'ignore', timeout, killSignal: 'SIGKILL' } as const;
      const [code] = (await once(spawn('go', args, options), 'exit')) as [number | null];
      return code === 0;
    };
    if (!(await go(['mod', 'download', goPackage], limits.downloadTimeoutMs))) {
      progress('Go could not download it');
      return undefined;
    }
    if (!(await go(['install', '-trimpath', goPackage], limits.buildTimeoutMs))) {
      progress('Go could not build it');
      return undefined;
    }
    renameSync(join(directory, 'nats-server'), built);
    return built;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Where an ordinary user, who cannot install packages, has Debian's unpacked. */
function debianDirectory(): string {
  return join(cacheDirectory(), 'debian/usr/sbin');
}

async function fromDebian(progress: Progress, directories: readonly string[]): Promise<string> {
  if (!hasDebianPackages()) throw new StartFailure(hint);
  progress('fetching nats-server from the packages of the system …');
  const had =
    process.getuid?.() === 0
      ? await installPackages(['nats-server'])
      : await unpackPackage('nats-server', join(cacheDirectory(), 'debian'));
  const [installed] = installedServers(directories);
  if (!had || installed === undefined) throw new StartFailure(`${hint}; apt-get could not`);
  return installed;
}
