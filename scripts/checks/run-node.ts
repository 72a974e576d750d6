import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from './repository.ts';

export interface NodeRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a script of the repository, or an installed tool (`node_modules/.bin/…`), in a process of its own on the Node
 * that runs us, whatever `node` is on the PATH. Resolves on any exit code.
 */
export async function runNode(script: string, args: readonly string[], cwd: string = repositoryRoot): Promise<NodeRun> {
  const child = spawn(process.execPath, [join(repositoryRoot, script), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  const exit = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? 1);
    });
  });
  const [exitCode, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { exitCode, stdout, stderr };
}

/** Runs something of which every printed line is a complaint when it fails. No complaints: it succeeded. */
export async function complaintsOf(script: string, args: readonly string[] = []): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runNode(script, args);
  if (exitCode === 0) return [];
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 ? lines : [`${script} ended with ${exitCode} and said nothing`];
}
