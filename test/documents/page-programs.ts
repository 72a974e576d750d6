import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BuiltSdk } from '../python-sdk/built-sdk.ts';
import { PythonTools } from '../python-sdk/python-tools.ts';
import { PackedSdk } from '../sdk/packed-sdk.ts';
import { stepsOf, type Language } from '../support/document.ts';
import type { Finished } from '../support/run-program.ts';

const repository = join(import.meta.dirname, '../..');
const compiler = join(repository, 'node_modules/.bin/tsc');

export const betweenSteps = '===== end of step =====';

/** Languages whose blocks of a page make one program. */
export type ProgramLanguage = Exclude<Language, 'sh'>;

/** How a program says that a block of the page ends. */
const ends: Readonly<Record<ProgramLanguage, string>> = {
  ts: `console.log('\\n${betweenSteps}');\n`,
  py: `print("\\n${betweenSteps}", flush=True)\n`,
};

/** Calls of operations by their names. */
type Examples = Readonly<Record<string, Readonly<Record<ProgramLanguage, string>>>>;
type Shown = readonly (readonly [operation: string, example: string])[];

/** One program of many examples, each with names of its own. */
const programsOf: Readonly<Record<ProgramLanguage, (contract: string, shown: Shown) => string>> = {
  ts: (contract, shown) => {
    const lines = shown.map(([, example]) => example.split('\n'));
    const isImport = (line: string) => line.startsWith('import ');
    const blocks = lines.map((each) => `{\n${each.filter((line) => !isImport(line)).join('\n')}\n}`);
    return [
      "import { Gateway } from '@gateway/sdk';",
      ...new Set(lines.flat().filter(isImport)),
      `const gateway = Gateway.fromEnv({ apiVersion: '${contract}' });`,
      ...blocks,
    ].join('\n');
  },
  py: (contract, shown) => {
    const functions = shown.map(([name, example]) => `def ${name}() -> None:\n${example.replaceAll(/^/gm, '    ')}\n`);
    return [
      `from gateway_sdk.v${contract.replace('.', '_')} import Gateway`,
      'gateway = Gateway.from_env()',
      ...functions,
    ].join('\n');
  },
};

/** The TypeScript and the Python of pages, beside the SDKs as merchants have them: packed, built and installed. */
export class PagePrograms implements Disposable {
  readonly #packed: PackedSdk;
  readonly #built: BuiltSdk;

  private constructor(packed: PackedSdk, built: BuiltSdk) {
    this.#packed = packed;
    this.#built = built;
  }

  static async prepare(): Promise<PagePrograms> {
    const python = PythonTools.prepare().then((tools) => BuiltSdk.install(tools));
    const [packed, built] = await Promise.all([PackedSdk.install(), python]);
    for (const { project } of [packed, built]) mkdirSync(join(project, 'pages'));
    cpSync(join(import.meta.dirname, 'tsconfig.pages.json'), join(packed.project, 'tsconfig.pages.json'));
    return new PagePrograms(packed, built);
  }

  /** Writes the program that the blocks of a page make. @param change is made to the text, of addresses for instance */
  write(page: string, text: string, language: ProgramLanguage, change = (program: string) => program): void {
    const program = stepsOf(text, language).map(({ script }) => `${script}\n${ends[language]}`);
    writeFileSync(this.#fileOf(page, language), change(program.join('\n')));
  }

  /** Writes what the gateway's reference shows beside each operation, one program for each contract and language. */
  writeReference(): void {
    const text = readFileSync(join(repository, 'services/api-gateway/src/reference/assets/examples.json'), 'utf8');
    const contracts = Object.entries(JSON.parse(text) as Readonly<Record<string, Examples>>);
    for (const [contract, examples] of contracts)
      for (const language of ['ts', 'py'] as const) {
        const shown = Object.entries(examples).map(([name, each]): [string, string] => [name, each[language]]);
        writeFileSync(this.#fileOf(`reference-${contract}.md`, language), programsOf[language](contract, shown));
      }
  }

  /** Checks what was written in TypeScript as strictly as the compiler can. */
  compile(): Promise<Finished> {
    const types = ['--typeRoots', join(repository, 'node_modules/@types')];
    return this.#packed.run(compiler, ['-p', 'tsconfig.pages.json', '--pretty', 'false', ...types]);
  }

  /** Checks what was written in Python as strictly as mypy can. */
  check(): Promise<Finished> {
    return this.#built.check();
  }

  run(page: string, language: ProgramLanguage, env: Readonly<Record<string, string>>): Promise<Finished> {
    const file = this.#fileOf(page, language);
    return language === 'ts' ? this.#packed.run(process.execPath, [file], env) : this.#built.run([file], env);
  }

  [Symbol.dispose](): void {
    this.#packed[Symbol.dispose]();
    this.#built[Symbol.dispose]();
  }

  #fileOf(page: string, language: ProgramLanguage): string {
    const { project } = language === 'ts' ? this.#packed : this.#built;
    return join(project, 'pages', `${basename(page, '.md').replaceAll(/\W/g, '_')}.${language}`);
  }
}
