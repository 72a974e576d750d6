import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gateway/test-kit';

/** A broker of its own, whose data the test may take away. Stays on one port over restarts. */
export class NatsProcess implements AsyncDisposable {
  readonly #home: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  private constructor(home: string, port: number) {
    this.#home = home;
    this.#port = port;
  }

  static async start(): Promise<NatsProcess> {
    const nats = new NatsProcess(await mkdtemp(join(tmpdir(), 'ledger-nats-')), await freePort());
    nats.restart();
    return nats;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  restart(): void {
    const args = ['-js', '-a', '127.0.0.1', '-p', String(this.#port), '-sd', this.#data];
    this.#child = spawn(process.env['NATS_SERVER'] ?? 'nats-server', args, { stdio: 'ignore' });
  }

  /** Ends it at once; what is not on disk is lost. */
  async kill(): Promise<void> {
    if (!this.#child) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
    this.#child = undefined;
  }

  async copyData(): Promise<void> {
    await rm(this.#copy, { recursive: true, force: true });
    await cp(this.#data, this.#copy, { recursive: true });
  }

  /** The data as it was when it was copied. */
  async rollBackData(): Promise<void> {
    await rm(this.#data, { recursive: true, force: true });
    await cp(this.#copy, this.#data, { recursive: true });
  }

  async loseData(): Promise<void> {
    await rm(this.#data, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#home, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#home, 'data');
  }

  get #copy(): string {
    return join(this.#home, 'copy');
  }
}
