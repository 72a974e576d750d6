import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The service as a process of its own, as in production. */
export class ServiceProcess implements AsyncDisposable {
  readonly child: ChildProcess;

  constructor(env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [main], {
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...env },
      stdio: 'ignore',
    });
  }

  /** kill -9: nothing of it runs any further. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}
