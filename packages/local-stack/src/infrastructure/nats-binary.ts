import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { StartFailure } from '#src/failure.ts';
import { hasDebianPackages, installPackages, unpackPackage } from '#src/infrastructure/debian-packages.ts';
import type { Progress } from '#src/progress.ts';

// Debian puts it into /usr/sbin, which is not on an ordinary user's PATH.
const systemDirectories = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
const installHint =
  'nats-server is missing: install it (Debian: apt-get install nats-server, macOS: brew install nats-server)';

/**
 * The nats-server to run: on PATH, in the system's directories, or installed from the system's packages (for an
 * ordinary user: unpacked into the state directory).
 *
 * @throws StartFailure when it is nowhere and cannot be installed.
 */
export async function natsBinary(home: string, progress: Progress): Promise<string> {
  const unpacked = join(home, 'nats-server');
  const unpackedBinary = join(unpacked, 'usr/sbin/nats-server');
  const found = findOnPath() ?? (isExecutable(unpackedBinary) ? unpackedBinary : undefined);
  if (found !== undefined) return found;
  if (!hasDebianPackages()) throw new StartFailure(installHint);
  if (process.getuid?.() === 0) await installAsRoot(progress);
  else await unpackAsUser(unpacked, progress);
  const installed = findOnPath() ?? (isExecutable(unpackedBinary) ? unpackedBinary : undefined);
  if (installed === undefined) throw new StartFailure(installHint);
  return installed;
}

async function installAsRoot(progress: Progress): Promise<void> {
  progress('installing nats-server with apt-get …');
  if (!(await installPackages(['nats-server']))) throw new StartFailure(`${installHint}; apt-get could not`);
}

async function unpackAsUser(directory: string, progress: Progress): Promise<void> {
  progress('fetching nats-server with apt-get download …');
  if (!(await unpackPackage('nats-server', directory))) {
    throw new StartFailure(`${installHint}; apt-get download could not fetch and unpack it`);
  }
}

function findOnPath(): string | undefined {
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...systemDirectories];
  return directories.map((directory) => join(directory, 'nats-server')).find(isExecutable);
}

function isExecutable(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
