import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const repositoryRoot = join(import.meta.dirname, '..', '..');

const outputBytesMax = 16 * 1_024 * 1_024;

/** What the checks read of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Workspace {
  /** Relative to the root, `.` for the root itself. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The root and every workspace of it. */
export async function workspaces(): Promise<Workspace[]> {
  const root = await readManifest('package.json');
  const patterns = (root as Manifest & { workspaces: string[] }).workspaces.map((pattern) => `${pattern}/package.json`);
  const members: Workspace[] = [];
  for await (const path of glob(patterns, { cwd: repositoryRoot })) {
    members.push({ folder: dirname(path), manifest: await readManifest(path) });
  }
  return [{ folder: '.', manifest: root }, ...members.sort((a, b) => a.folder.localeCompare(b.folder))];
}

/** Every TypeScript file of ours below the folders. */
export async function typeScriptFiles(folders: readonly string[]): Promise<string[]> {
  const patterns = folders.map((folder) => `${folder}/**/*.ts`);
  const files: string[] = [];
  for await (const file of glob(patterns, { cwd: repositoryRoot, exclude: (name) => name === 'node_modules' })) {
    files.push(file);
  }
  return files.sort();
}

/** Every file that is kept in the repository. */
export async function trackedFiles(): Promise<string[]> {
  const options = { cwd: repositoryRoot, maxBuffer: outputBytesMax };
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], options);
  return stdout.split('\0').filter((file) => file !== '');
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(repositoryRoot, path), 'utf8')) as Manifest;
}
