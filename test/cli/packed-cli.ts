import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, succeed, type Finished } from '../support/run-program.ts';

const repository = join(import.meta.dirname, '../..');
const source = join(repository, 'sdks/cli');
const compiler = join(repository, 'node_modules/.bin/tsc');
const pages = readdirSync(source).filter((name) => name.endsWith('.md'));
const built = ['package.json', 'src', 'scenarios', 'tsconfig.dist.json', ...pages];
const quietly = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];

/** The command line as people have it: packed, and installed beside the SDK without a registry in an empty project. */
export class PackedCli implements Disposable {
  readonly #folder: string;
  readonly #project: string;
  readonly tarball: string;

  private constructor(folder: string, project: string, tarball: string) {
    this.#folder = folder;
    this.#project = project;
    this.tarball = tarball;
  }

  /** @param sdk the packed SDK, which is the only package it needs */
  static async install(sdk: string): Promise<PackedCli> {
    const folder = mkdtempSync(join(tmpdir(), 'packed-cli-'));
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "name": "laptop", "private": true }\n');
    await succeed('npm', ['install', ...quietly, sdk], project);
    // Its compiler finds the SDK as it is installed.
    const copy = join(project, 'cli');
    for (const name of built) cpSync(join(source, name), join(copy, name), { recursive: true });
    const types = ['--typeRoots', join(repository, 'node_modules/@types')];
    await succeed(compiler, ['-p', 'tsconfig.dist.json', '--pretty', 'false', ...types], copy);
    await succeed('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], copy);
    rmSync(copy, { recursive: true });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    if (tarball === undefined) throw new Error('npm packed nothing');
    const packed = new PackedCli(folder, project, join(folder, tarball));
    await succeed('npm', ['install', ...quietly, sdk, packed.tarball], project);
    return packed;
  }

  /** Names of the packages that the project has. */
  installed(): string[] {
    const modules = join(this.#project, 'node_modules');
    const manifests = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('package.json'),
    );
    const names = manifests.map((path) => JSON.parse(readFileSync(join(modules, path), 'utf8')).name as string);
    return [...new Set(names)].sort();
  }

  /** Runs `gateway` as npm has linked it, with the folders of a person of its own. */
  run(node: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
    const of = (name: string) => join(this.#folder, name);
    const folders = { XDG_CONFIG_HOME: of('config'), XDG_STATE_HOME: of('state'), HOME: this.#folder };
    const program = join(this.#project, 'node_modules/.bin/gateway');
    return runProgram(node, [program, ...args], { cwd: this.#folder, env: { ...folders, ...env } });
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
