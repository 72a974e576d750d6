import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../faults/errors.ts';

const ownerOnlyFolder = 0o700;
const ownerOnlyFile = 0o600;
/** Bits of a mode by which the group or everybody reads or writes. */
const othersMask = 0o077;

/**
 * The text of a file that its owner alone may read.
 *
 * @returns undefined when it is not there
 * @throws UsageError when others can read it or its folder
 */
export function readPrivateFile(file: string): string | undefined {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  refuseWhatOthersRead(dirname(file));
  refuseWhatOthersRead(file);
  return readFileSync(file, 'utf8');
}

/** Modes say nothing on Windows, where a profile of a person is that person's own. */
function refuseWhatOthersRead(path: string): void {
  if (process.platform === 'win32') return;
  const { mode } = statSync(path);
  if ((mode & othersMask) === 0) return;
  const owned = (mode & 0o170000) === 0o040000 ? ownerOnlyFolder : ownerOnlyFile;
  throw new UsageError(`others can read ${path}: chmod ${owned.toString(8)} ${path}`);
}

/** A folder that its owner alone may open. One that is there already keeps its mode. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: ownerOnlyFolder });
}

/**
 * Writes a file that its owner alone may read: whole or not at all, and on the disk when it returns, so that what comes
 * next can rely on it after a crash of the process or of the machine.
 */
export function writePrivateFile(file: string, text: string): void {
  makePrivateFolder(dirname(file));
  const draft = `${file}.${process.pid}.tmp`;
  const handle = openSync(draft, 'w', ownerOnlyFile);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  chmodSync(draft, ownerOnlyFile);
  renameSync(draft, file);
  syncFolder(dirname(file));
}

/** Without it the new name may be lost with the machine's power. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
