import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatorTools } from '@gateway/local-stack';

export const project = import.meta.dirname;
const generated = join(project, 'generated');
const compiler = join(project, '../../node_modules/.bin/tsc');

/** Names of the contracts of the public API as files and modules have them. */
export const contracts = { v0_1: '/openapi.json', v1_0: '/openapi-1.0.json' } as const;
export type Contract = keyof typeof contracts;

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** What came of the calls of a collection. */
interface Collected {
  readonly failures: readonly string[];
  readonly executions: readonly { readonly name: string; readonly code: number }[];
}

interface RunOptions {
  readonly directory?: string;
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Who calls an interface. */
export interface Caller {
  readonly url: string;
  /** By the names of the security schemes. */
  readonly credentials: object;
  /** Kinds of calls; all of them when it is left out. */
  readonly phases?: readonly string[];
  /** Values of records that are there, for calls that take them. */
  readonly known?: Readonly<Record<string, string>>;
}

/** The generators, and what they make. */
export class Toolchain {
  readonly #npmPrograms: string;
  readonly #pythonPrograms: string;

  private constructor(npmPrograms: string, pythonPrograms: string) {
    this.#npmPrograms = npmPrograms;
    this.#pythonPrograms = pythonPrograms;
  }

  /** Installs the generators where they are missing, and removes what an earlier run has generated. */
  static async prepare(): Promise<Toolchain> {
    const { npmPrograms, pythonPrograms } = await generatorTools();
    rmSync(generated, { recursive: true, force: true });
    mkdirSync(generated);
    return new Toolchain(npmPrograms, pythonPrograms);
  }

  /** Keeps a description as a file. @returns its path */
  async keep(name: string, url: string): Promise<string> {
    const path = join(generated, `${name}.json`);
    await writeFile(path, await (await fetch(url)).text());
    return path;
  }

  /** A description that is not as it should be. @returns its path */
  async spoil(name: string, change: (text: string) => string): Promise<string> {
    const path = join(generated, `${name}-spoiled.json`);
    await writeFile(path, change(await readFile(join(generated, `${name}.json`), 'utf8')));
    return path;
  }

  /** Makes the clients of three generators in TypeScript. @returns what they complained about */
  async generateTypeScript(contract: Contract): Promise<string[]> {
    const directory = join(generated, contract);
    mkdirSync(directory);
    const description = join(generated, `${contract}.json`);
    const runs = await Promise.all([
      this.npm('openapi-typescript', [description, '--output', 'openapi-typescript.ts'], { directory }),
      this.npm('openapi-ts', ['--input', description, '--output', 'hey-api', '--client', '@hey-api/client-fetch'], {
        directory,
      }),
      this.npm('oazapfts', [description, 'oazapfts.ts'], { directory }),
    ]);
    return runs.filter(({ code, output }) => code !== 0 || /warn/i.test(output)).map(({ output }) => output);
  }

  /** Compiles every client and the code that uses it, without a warning suppressed. */
  compile(): Promise<Finished> {
    return run(compiler, ['--project', project, '--pretty', 'false']);
  }

  /** Makes the client of openapi-python-client; a warning is a failure. */
  generatePython(contract: Contract): Promise<Finished> {
    const description = join(generated, `${contract}.json`);
    const config = join(project, 'openapi-python-client.yaml');
    const output = join(generated, `generated_${contract}`);
    const args = ['--meta', 'none', '--path', description, '--config', config, '--output-path', output];
    return this.python('openapi-python-client', ['generate', '--fail-on-warning', ...args]);
  }

  /** Sends what the description of an interface permits, and what it does not, and holds the answers against it. */
  async schemathesis(name: string, { url, credentials, phases = [], known = {} }: Caller): Promise<Finished> {
    const settings = await readFile(join(project, 'schemathesis.toml'), 'utf8');
    const sections = Object.entries(credentials).flatMap(([scheme, values]) =>
      Object.entries(values as object).map(([key, value]) => `auth.openapi.${scheme}.${key} = "${String(value)}"`),
    );
    const config = join(generated, `${name}.toml`);
    await writeFile(config, [...sections, settings].join('\n'));
    const args = ['--config-file', config, 'run', join(generated, `${name}.json`), '--url', url];
    const chosen = phases.length === 0 ? [] : ['--phases', phases.join(',')];
    const environment = { SCHEMATHESIS_HOOKS: 'hooks', KNOWN_RECORDS: JSON.stringify(known) };
    return this.python('schemathesis', [...args, ...chosen], { environment });
  }

  /** Makes every call of a generated collection, in its order. */
  async newman(contract: string, variables: Readonly<Record<string, string>>): Promise<Collected> {
    const collection = join(project, `../../docs/api/postman-${contract}.json`);
    const report = join(generated, `newman-${contract}.json`);
    const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
    const args = ['run', collection, '--reporters', 'json', '--reporter-json-export', report, ...given];
    await this.npm('newman', args);
    const { run: done } = JSON.parse(await readFile(report, 'utf8'));
    const executions: readonly { readonly item: { name: string }; readonly response?: { code: number } }[] =
      done.executions;
    return {
      failures: done.failures.map(({ error, source }: any) => `${source?.name}: ${error?.message}`),
      executions: executions.map(({ item, response }) => ({ name: item.name, code: response?.code ?? 0 })),
    };
  }

  npm(program: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
    return run(join(this.#npmPrograms, program), args, options);
  }

  /** A program of the virtual environment, which finds the generated clients and what stands beside them. */
  python(program: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
    const path = [generated, join(project, 'python')].join(':');
    const environment = { PYTHONPATH: path, MYPYPATH: path, PYTHONDONTWRITEBYTECODE: '1', ...options.environment };
    return run(join(this.#pythonPrograms, program), args, { ...options, environment });
  }
}

async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { directory = project, input = '', environment = {} } = options;
  // The generators are run by the Node of the tests, whatever the system's is.
  const path = [join(process.execPath, '..'), process.env.PATH].join(':');
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...process.env, ...environment, PATH: path, NO_COLOR: '1' },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: Buffer.concat(chunks).toString() };
}
