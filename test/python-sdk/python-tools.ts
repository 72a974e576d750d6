import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import { installedFor, installTimeoutMs, pythonWith } from '@gateway/local-stack';

const directory = import.meta.dirname;
const environment = join(directory, '../../.gateway/tools/python-sdk');
/** What is wanted of the programs, and of the packages of merchants. */
const locks = { tools: join(directory, 'tools.txt'), runtime: join(directory, 'runtime.txt') };
/** The packages that a merchant installs with the SDK, downloaded once. */
const wheels = join(environment, 'wheels');
/** One of the authorities that the world believes. */
const authority = join(environment, 'authority.pem');
/** A machine that does much else takes minutes for what a quiet one does in seconds. */
const runTimeoutMs = 10 * 60_000;

export interface Finished {
  readonly code: number;
  readonly output: string;
}

/** Programs that build, check and test the SDK, in the versions of their lock file; installed once. */
export class PythonTools {
  /** The Python that has them. */
  readonly python: string;

  private constructor(python: string) {
    this.python = python;
  }

  static async prepare(): Promise<PythonTools> {
    const python = join(environment, 'bin/python');
    await installedFor(Object.values(locks), join(environment, '.installed'), () => installTools(python));
    keepAuthority();
    return new PythonTools(python);
  }

  /** An empty virtual environment, without pip, of the Python of the tools or of another. @returns its Python */
  async newEnvironment(folder: string, python = this.python): Promise<string> {
    const { code, output } = await runPython(python, ['-m', 'venv', '--without-pip', folder]);
    if (code !== 0) throw new Error(`${python} made no environment: ${output}`);
    return join(folder, 'bin/python');
  }

  /** Installs a package and its dependencies into an environment, without a registry. */
  async install(python: string, file: string): Promise<void> {
    await this.pip(python, 'install', '--quiet', '--no-index', '--find-links', wheels, file);
  }

  async pip(python: string, ...args: readonly string[]): Promise<string> {
    return this.succeed(['-m', 'pip', '--python', python, ...args]);
  }

  async succeed(args: readonly string[], cwd = directory): Promise<string> {
    const { code, output } = await this.run(args, { cwd });
    if (code !== 0) throw new Error(`python ${args.join(' ')} failed: ${output}`);
    return output;
  }

  /**
   * Runs modules of the SDK's own tests, by the Python of the tools or by another. They make a client for each call, to a server
   * without TLS: it reads one authority, since reading all of them takes longer than the call.
   */
  runTests(names: readonly string[], options: RunOptions, python = this.python): Promise<Finished> {
    const args = ['-m', 'unittest', ...names.map((name) => `tests.${name}`)];
    return runPython(python, args, { ...options, env: { ...options.env, SSL_CERT_FILE: authority } });
  }

  /** By the Python of the tools, which has what tests need. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
    return runPython(this.python, args, options);
  }
}

/** In one step: another process may be reading it. */
function keepAuthority(): void {
  const draft = `${authority}.${process.pid}`;
  writeFileSync(draft, rootCertificates[0] ?? '');
  renameSync(draft, authority);
}

/** Into an environment of their own, with the packages of merchants beside them. */
async function installTools(python: string): Promise<void> {
  // `tomllib` came with Python 3.11, the oldest that the SDK runs on.
  const found = await pythonWith('ensurepip, venv, tomllib', 'python3-venv');
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(dirname(environment), { recursive: true });
  const run = (program: string, args: readonly string[]) =>
    promisify(execFile)(program, args, { timeout: installTimeoutMs });
  await run(found, ['-m', 'venv', environment]);
  const locked = ['--quiet', '--require-hashes', '--requirement'];
  await run(python, ['-m', 'pip', 'install', ...locked, locks.tools]);
  await run(python, ['-m', 'pip', 'download', '--dest', wheels, ...locked, locks.runtime]);
}

interface Failed {
  readonly code?: unknown;
  readonly signal?: string | null;
  readonly stdout?: string;
  readonly stderr?: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What a program prints; of one that fails, its complaints too. */
export function runPython(
  python: string,
  args: readonly string[],
  { cwd = directory, env = {} }: RunOptions = {},
): Promise<Finished> {
  const environmentOfRun = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env };
  return promisify(execFile)(python, args, { cwd, timeout: runTimeoutMs, env: environmentOfRun }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: unknown) => {
      const { code, signal, stdout = '', stderr = '' } = error as Failed;
      const ended = signal ? `ended by ${signal}, which it gets after ${runTimeoutMs} ms` : '';
      return { code: typeof code === 'number' ? code : 1, output: `${stdout}${stderr}${ended}` };
    },
  );
}
