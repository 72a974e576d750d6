import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually, freePort } from '@gateway/test-kit';

const script = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The ledger as operators run it: a process of its own. */
export class LedgerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#port = port;
    this.#exited = once(child, 'exit');
  }

  static async start(
    databaseUrl: string,
    natsUrl: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<LedgerProcess> {
    const port = await freePort();
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
      SECRETS_KEY: Buffer.alloc(32, 'test').toString('base64'),
      PUBLIC_URL: 'https://pay.example.com',
      CHECKPOINT_INTERVAL_SEC: '1',
      INTERNAL_PORT: String(port),
      LOG_LEVEL: 'silent',
      LEDGER_WITNESSES: 'none',
      ...settings,
    };
    return new LedgerProcess(spawn(process.execPath, [script], { env, stdio: 'inherit' }), port);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async untilReady(): Promise<this> {
    await eventually(
      async () => {
        const response = await fetch(`http://127.0.0.1:${this.#port}/ready`);
        if (!response.ok) throw new Error(`not ready: ${response.status}`);
      },
      { timeoutMs: 90_000 },
    );
    return this;
  }

  /** As the kernel would: no handler runs. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Stops it where it is; it neither knows nor says anything until it is resumed. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill();
  }
}
