import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryRoot, workspaces } from './repository.ts';

export interface SampleRepository extends AsyncDisposable {
  readonly root: string;
}

/**
 * A throw-away repository with our workspaces and their real package.json files, but only the given files in them:
 * where violations are planted without touching the code anybody works on.
 */
export async function buildSampleRepository(files: Readonly<Record<string, string>>): Promise<SampleRepository> {
  const root = await mkdtemp(join(tmpdir(), 'gateway-sample-'));
  for (const config of ['tsconfig.json', 'tsconfig.base.json']) {
    await copyFile(join(repositoryRoot, config), join(root, config));
  }
  await mkdir(join(root, 'node_modules', '@gateway'), { recursive: true });
  for (const { folder, manifest } of await workspaces()) {
    await mkdir(join(root, folder), { recursive: true });
    await copyFile(join(repositoryRoot, folder, 'package.json'), join(root, folder, 'package.json'));
    if (folder !== '.') await symlink(join(root, folder), join(root, 'node_modules', manifest.name));
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
