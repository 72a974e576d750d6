import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installSdk, type InstalledSdk } from '@gateway/local-stack';
import { blocksOf } from '../support/document.ts';
import { runProgram, type Finished } from '../support/run-program.ts';

const repository = join(import.meta.dirname, '../..');
const source = join(repository, 'sdks/typescript');
const compiler = join(repository, 'node_modules/.bin/tsc');

/** The SDK as merchants have it: packed, and installed without a registry in a project that has nothing else. */
export class PackedSdk implements Disposable {
  readonly #folder: string;
  /** Where the programs of the merchant are. */
  readonly project: string;
  readonly tarball: string;

  private constructor(folder: string, { project, tarball }: InstalledSdk) {
    this.#folder = folder;
    this.project = project;
    this.tarball = tarball;
  }

  /** Builds, packs and installs it, with the programs of `test/sdk/project` beside it. */
  static async install(): Promise<PackedSdk> {
    const folder = mkdtempSync(join(tmpdir(), 'packed-sdk-'));
    const packed = new PackedSdk(folder, await installSdk(folder));
    cpSync(join(import.meta.dirname, 'project'), packed.project, { recursive: true });
    writeFileSync(join(packed.project, 'readme.ts'), packed.examples().program);
    return packed;
  }

  /** What the project has installed. */
  installed(): string[] {
    const modules = join(this.project, 'node_modules');
    return readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('package.json'));
  }

  /** A file of the installed package. */
  read(path: string): string {
    return readFileSync(join(this.project, 'node_modules/@gateway/sdk', path), 'utf8');
  }

  /** The text of its pages. */
  pages(): string {
    const names = pagesOf(join(this.project, 'node_modules/@gateway/sdk'));
    return names.map((name) => this.read(name)).join('\n');
  }

  /** The examples of its page as one program, and all that the page says it prints. */
  examples(): { readonly program: string; readonly shown: string } {
    const blocks = blocksOf(readFileSync(join(source, 'README.md'), 'utf8'));
    const all = (wanted: string) => blocks.filter(({ language }) => language === wanted).map(({ text }) => text);
    return { program: all('ts').join('\n'), shown: all('text').join('') };
  }

  /** Compiles the programs with what a project has that sets nothing: no types of a platform, no skipped check. */
  compile(): Promise<Finished> {
    return this.run(compiler, ['-p', 'tsconfig.json', '--pretty', 'false']);
  }

  run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
    return runProgram(program, args, { cwd: this.project, env });
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function pagesOf(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.md'));
}
