import { existsSync } from 'node:fs';
import { glob, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryRoot } from './repository.ts';

/** The floors of one workspace, as its floors.json declares them for .dependency-cruiser.mjs. */
export interface Floors {
  /** Relative to the root. */
  readonly workspace: string;
  /** Folders of src/ and files that stand there by themselves, the highest floor first. */
  readonly floors: readonly (readonly string[])[];
  /** The folders there are. */
  readonly folders: readonly string[];
}

/** Workspaces whose source has several folders, and no floors for them. */
export async function undeclaredFloors(root: string): Promise<string[]> {
  const found: string[] = [];
  for await (const source of glob('{apps,sdks,packages,services}/*/src', { cwd: root })) {
    const workspace = dirname(source);
    const isDeclared = existsSync(join(root, workspace, 'floors.json'));
    if (!isDeclared && (await foldersOf(join(root, workspace))).length > 1) found.push(workspace);
  }
  return found.sort();
}

export async function declaredFloors(): Promise<Floors[]> {
  const found: Floors[] = [];
  for await (const file of glob('{apps,sdks,packages,services}/*/floors.json', { cwd: repositoryRoot })) {
    const workspace = dirname(file);
    found.push({
      workspace,
      floors: JSON.parse(await readFile(join(repositoryRoot, file), 'utf8')) as string[][],
      folders: await foldersOf(join(repositoryRoot, workspace)),
    });
  }
  return found.sort((a, b) => a.workspace.localeCompare(b.workspace));
}

async function foldersOf(workspace: string): Promise<string[]> {
  const entries = await readdir(join(workspace, 'src'), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
