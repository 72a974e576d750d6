import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const leftOut = new Set(['node_modules', '.git', '.gateway']);

export interface WorkingCopy extends Disposable {
  readonly path: string;
}

/**
 * A copy of the repository as it stands, so that the files of the developer stay as they are. Packages are linked to the installed
 * ones; the workspaces are the copy's own, so that a service meets the faults of a package too.
 */
export function copyRepository(repository: string): WorkingCopy {
  const path = mkdtempSync(join(tmpdir(), 'gateway-mutants-'));
  cpSync(repository, path, { recursive: true, filter: (source) => !leftOut.has(basename(source)) });
  const installed = join(repository, 'node_modules');
  mkdirSync(join(path, 'node_modules'));
  for (const name of readdirSync(installed)) {
    if (name.startsWith('.') && name !== '.bin') continue;
    const [from, to] = [join(installed, name), join(path, 'node_modules', name)];
    // The links in here are relative, so in the copy they lead to the copy's workspaces.
    if (name === '@gateway') cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
  for (const nested of globSync('{apps,packages,services}/*/node_modules', { cwd: repository }).concat(
    'test/node_modules',
  )) {
    mkdirSync(dirname(join(path, nested)), { recursive: true });
    symlinkSync(join(repository, nested), join(path, nested));
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
