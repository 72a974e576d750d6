import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const diskMb = 256;
const chunkBytes = 1024 * 1024;

/** A disk of its own for the broker, small enough to be filled. */
export interface LimitedDisk extends Disposable {
  /** Leaves not one byte. */
  fill(): void;
  makeRoom(): void;
}

/** Mounts one at a directory; undefined where this process may not mount. */
export function mountLimitedDisk(directory: string): LimitedDisk | undefined {
  mkdirSync(directory, { recursive: true });
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', directory]);
  if (status !== 0) return undefined;
  const filler = join(directory, 'filler');
  return {
    fill: () => {
      const file = openSync(filler, 'a');
      try {
        for (let bytes = chunkBytes; bytes > 0;) if (!wasWritten(file, bytes)) bytes = Math.floor(bytes / 2);
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => void spawnSync('umount', ['-l', directory]),
  };
}

function wasWritten(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
