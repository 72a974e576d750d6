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

export async function declaredFloors(): Promise<Floors[]> {
  const found: Floors[] = [];
  for await (const file of glob('{packages,services}/*/floors.json', { cwd: repositoryRoot })) {
    const workspace = dirname(file);
    const entries = await readdir(join(repositoryRoot, workspace, 'src'), { withFileTypes: true });
    found.push({
      workspace,
      floors: JSON.parse(await readFile(join(repositoryRoot, file), 'utf8')) as string[][],
      folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    });
  }
  return found.sort((a, b) => a.workspace.localeCompare(b.workspace));
}
