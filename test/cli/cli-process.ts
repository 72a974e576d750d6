import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programEnvironment } from '@gateway/test-kit';
import type { Merchant } from '../sdk/new-merchant.ts';

const main = join(import.meta.dirname, '../../sdks/cli/src/main.ts');

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as a process, with the folders of a person of its own. */
export class CliProcess implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'gateway-cli-'));
  readonly env: Record<string, string>;

  /** @param key in the environment; without it the command line has none */
  constructor(key?: Merchant) {
    const of = (name: string) => join(this.folder, name);
    const keys = key && {
      GATEWAY_BASE_URL: key.baseUrl,
      GATEWAY_API_KEY: key.publicKey,
      GATEWAY_API_SECRET: key.secretKey,
    };
    const folders = { XDG_CONFIG_HOME: of('config'), XDG_STATE_HOME: of('state'), HOME: this.folder };
    this.env = { ...programEnvironment(), ...folders, ...keys };
  }

  start(args: readonly string[], cwd = this.folder): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, ['--conditions=gateway-source', main, ...args], { cwd, env: this.env });
  }

  async run(args: readonly string[], cwd?: string): Promise<Finished> {
    const child = this.start(args, cwd);
    child.stdin.end();
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { code, stdout, stderr };
  }

  /** What a command answers as JSON. */
  async json(args: readonly string[]): Promise<any> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`gateway ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
