import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { blocksOf } from '../support/document.ts';
import { pyright } from '../sdk/runtimes.ts';
import { runProgram } from '../support/run-program.ts';
import { runPython, type Finished, type PythonTools } from './python-tools.ts';

const source = join(import.meta.dirname, '../../sdks/python');
const leftOut = new Set(['tests', '__pycache__', 'dist']);

/** The SDK as merchants have it: built, and installed in an environment that has nothing else. */
export class BuiltSdk implements Disposable {
  readonly #tools: PythonTools;
  readonly #folder: string;
  readonly #python: string;
  /** Where the programs of the merchant are. */
  readonly project: string;

  private constructor(tools: PythonTools, folder: string, python: string) {
    this.#tools = tools;
    this.#folder = folder;
    this.#python = python;
    this.project = join(folder, 'project');
  }

  /** Builds wheel and source archive, and installs the wheel, with the programs of `project` beside it. */
  static async install(tools: PythonTools): Promise<BuiltSdk> {
    const folder = mkdtempSync(join(tmpdir(), 'built-sdk-'));
    const copy = join(folder, 'sdk');
    cpSync(source, copy, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
    await tools.succeed(['-m', 'hatchling', 'build', '--directory', join(folder, 'dist')], copy);
    const sdk = new BuiltSdk(tools, folder, await tools.newEnvironment(join(folder, 'environment')));
    await tools.install(sdk.#python, sdk.wheel());
    cpSync(join(import.meta.dirname, 'project'), sdk.project, { recursive: true });
    writeFileSync(join(sdk.project, 'readme.py'), sdk.examples().program);
    return sdk;
  }

  wheel(): string {
    return this.#built('.whl');
  }

  /** What of it is in the wheel, and in one that is made of the source archive alone. */
  async contents(): Promise<{ readonly ofWheel: string[]; readonly ofSource: string[] }> {
    const remade = join(this.#folder, 'remade');
    mkdirSync(remade);
    await this.#tools.succeed(
      [
        '-m',
        'pip',
        'wheel',
        '--quiet',
        '--no-deps',
        '--no-index',
        '--no-build-isolation',
        '--wheel-dir',
        remade,
      ].concat(this.#built('.tar.gz')),
    );
    const namesIn = async (wheel: string) => {
      const list = 'import sys, zipfile; print("\\n".join(sorted(zipfile.ZipFile(sys.argv[1]).namelist())))';
      return (await this.#tools.succeed(['-c', list, wheel])).trim().split('\n');
    };
    const [again = ''] = readdirSync(remade);
    return { ofWheel: await namesIn(this.wheel()), ofSource: await namesIn(join(remade, again)) };
  }

  /** The packages of its environment, all of them by name. */
  async installed(): Promise<string[]> {
    await this.#tools.pip(this.#python, 'check');
    const listed = JSON.parse(await this.#tools.pip(this.#python, 'list', '--format', 'json')) as { name: string }[];
    return listed.map(({ name }) => name).sort();
  }

  /** What it asks for itself, by its metadata. */
  async dependencies(): Promise<unknown> {
    const program = 'import importlib.metadata, json; print(json.dumps(importlib.metadata.requires("gateway-sdk")))';
    return JSON.parse((await this.run(['-c', program])).output);
  }

  /** What PyPI would say of both archives: their metadata, and whether the page in them can be shown. */
  checkArchives(): Promise<Finished> {
    return this.#tools.run(['-m', 'twine', 'check', '--strict', this.wheel(), this.#built('.tar.gz')]);
  }

  /** Installs the wheel in an environment of another Python, and runs tests of this repository there on what was installed. */
  async testIn(python: string, names: readonly string[]): Promise<Finished> {
    const folder = mkdtempSync(join(this.#folder, 'environment-'));
    const other = await this.#tools.newEnvironment(folder, python);
    await this.#tools.install(other, this.wheel());
    cpSync(join(source, 'tests'), join(folder, 'tests'), { recursive: true });
    return this.#tools.runTests(names, { cwd: folder }, other);
  }

  /** Checks the programs by the types that were installed, as strictly as mypy can. */
  check(): Promise<Finished> {
    const cache = ['--cache-dir', join(this.#folder, 'mypy')];
    const args = ['-m', 'mypy', '--strict', '--warn-unreachable', '--python-executable', this.#python, ...cache, '.'];
    return this.#tools.run(args, { cwd: this.project });
  }

  /** Which share of what it exports has a type that is known, by the package as it is installed, and what has none. */
  async knownTypes(): Promise<{ readonly share: number; readonly unknown: string[] }> {
    const args = [pyright, '--verifytypes', 'gateway_sdk', '--ignoreexternal', '--outputjson'];
    // It asks the first Python on the path where packages are.
    const env = { PATH: `${dirname(this.#python)}:${process.env.PATH ?? ''}` };
    const { output } = await runProgram(process.execPath, args, { cwd: this.project, env });
    const { typeCompleteness } = JSON.parse(output);
    const symbols: readonly { name: string; isExported: boolean; isTypeKnown: boolean }[] = typeCompleteness.symbols;
    const unknown = symbols.filter(({ isExported, isTypeKnown }) => isExported && !isTypeKnown);
    return { share: typeCompleteness.completenessScore, unknown: unknown.map(({ name }) => name) };
  }

  /** The examples of its page as one program, and all that the page says it prints. */
  examples(): { readonly program: string; readonly shown: string } {
    const blocks = blocksOf(readFileSync(join(source, 'README.md'), 'utf8'));
    const all = (wanted: string) => blocks.filter(({ language }) => language === wanted).map(({ text }) => text);
    return { program: all('py').join('\n'), shown: all('text').join('') };
  }

  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
    return runPython(this.#python, args, { cwd: this.project, env });
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #built(suffix: string): string {
    const dist = join(this.#folder, 'dist');
    const name = readdirSync(dist).find((each) => each.endsWith(suffix));
    if (name === undefined) throw new Error(`hatchling built no ${suffix}`);
    return join(dist, name);
  }
}
