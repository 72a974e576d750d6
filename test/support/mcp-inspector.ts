import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mcpInspector } from '../sdk/runtimes.ts';
import { runProgram } from './run-program.ts';

/** The inspector of the protocol's authors, which starts a server by the file by which assistants start it. */
export class McpInspector implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mcp-inspector-'));
  readonly #file = join(this.#folder, 'mcp.json');

  /** @param args of the server, which our Node runs */
  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    const mcpServers = { gateway: { command: process.execPath, args, env } };
    writeFileSync(this.#file, JSON.stringify({ mcpServers }), { mode: 0o600 });
  }

  /** @returns what the server answered; `{ code, output }` where the inspector ends otherwise than with 0 */
  async ask(method: string, ...more: readonly string[]): Promise<any> {
    const server = ['--config', this.#file, '--server', 'gateway'];
    const args = [mcpInspector, '--cli', ...server, '--format', 'json', '--method', method, ...more];
    const finished = await runProgram(process.execPath, args, { cwd: this.#folder, env: { HOME: this.#folder } });
    return finished.code === 0 ? JSON.parse(finished.output).result : finished;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
