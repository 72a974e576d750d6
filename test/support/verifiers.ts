import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pythonWith } from '@gateway/local-stack';

const folder = join(import.meta.dirname, '../../examples/verify-receipt');

export interface Outcome {
  readonly code: number | null;
  readonly lines: readonly string[];
}

/** A program that verifies receipts, by its command. */
export interface Verifier {
  readonly language: string;
  readonly command: readonly string[];
  /** Runs it for every file of the directory in one process, and prints those that it does not refuse. */
  readonly manyTimes?: readonly string[];
}

const manyTimesInNode = `
  const { readdirSync } = await import('node:fs');
  const [node, program, key] = process.argv;
  console.log = () => {};
  for (const file of readdirSync('.')) {
    process.argv = [node, '--key', key, file]; // Node reads arguments without a program where code is given.
    await import(program + '?' + file);
    if (process.exitCode !== 1) process.stdout.write(file + '\\n');
  }
  process.exitCode = 0;`;

const manyTimesInPython = `
import contextlib, io, os, runpy, sys
program, key = sys.argv[1:]
verifier = runpy.run_path(program)
for file in os.listdir("."):
    sys.argv = [program, "--key", key, file]
    with contextlib.redirect_stdout(io.StringIO()):
        code = verifier["main"]()
    if code != 1:
        print(file)`;

/** The programs that merchants are given. Go's is there where Go is: its package is too large to be installed for it. */
export async function verifiers(workplace: string): Promise<Verifier[]> {
  const python = await pythonWith('cryptography', 'python3-cryptography');
  const inTypeScript = join(folder, 'verify-receipt.ts');
  const inPython = join(folder, 'verify_receipt.py');
  const found = [
    {
      language: 'TypeScript',
      command: [process.execPath, inTypeScript],
      manyTimes: [process.execPath, '--input-type=module', '-e', manyTimesInNode, inTypeScript],
    },
    { language: 'Python', command: [python, inPython], manyTimes: [python, '-c', manyTimesInPython, inPython] },
  ];
  if (spawnSync('go', ['version']).status !== 0) return found;
  const program = join(workplace, 'verify-receipt');
  execFileSync('go', ['build', '-o', program, join(folder, 'verify_receipt.go')], {
    env: { ...process.env, GOFLAGS: '' },
  });
  return [...found, { language: 'Go', command: [program] }];
}

export function verify({ command }: Verifier, directory: string, args: readonly string[]): Outcome {
  const [program = '', ...first] = command;
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args], { cwd: directory, encoding: 'utf8' });
  return { code: status, lines: `${stdout}${stderr}`.trimEnd().split('\n') };
}

/** The files of a directory that a program does not find to be false. */
export function notRefused(verifier: Verifier, directory: string, key: string): string[] {
  const { manyTimes } = verifier;
  if (!manyTimes) {
    return readdirSync(directory).filter((file) => verify(verifier, directory, ['--key', key, file]).code !== 1);
  }
  const [program = '', ...args] = manyTimes;
  const printed = execFileSync(program, [...args, key], { cwd: directory, encoding: 'utf8' });
  return printed.split('\n').filter((line) => line !== '');
}
