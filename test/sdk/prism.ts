import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@gateway/test-kit';
import { prism } from './runtimes.ts';

type Contract = '0.1' | '1.0';

/** Which part of a deposit that is not as described it names, in contract 0.1: its silence about others says something. */
export async function refusedBy(
  { url }: Prism,
  { publicKey, secretKey }: { readonly publicKey: string; readonly secretKey: string },
): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-api-key': publicKey, 'x-api-secret': secretKey };
  const body = JSON.stringify({ amount_cents: 'ten', external_id: 'order-1' });
  const response = await fetch(`${url}/v1/deposits`, { method: 'POST', headers, body });
  const { validation = [] } = (await response.json()) as { validation?: { location: string[] }[] };
  return validation.map(({ location }) => location.join('.')).join();
}

/** Prism, which knows the description of a contract and refuses what it does not allow. */
export class Prism implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcessWithoutNullStreams;

  private constructor(url: string, child: ChildProcessWithoutNullStreams) {
    this.url = url;
    this.#child = child;
  }

  /** Between a client and the gateway: it refuses a call, and an answer. */
  static before(gatewayUrl: string, contract: Contract): Promise<Prism> {
    return Prism.#start([descriptionOf(contract), gatewayUrl]);
  }

  static async #start(of: readonly string[]): Promise<Prism> {
    const port = await freePort();
    const where = ['--host', '127.0.0.1', '--port', String(port), '--errors'];
    const child = spawn(process.execPath, [prism, 'proxy', ...where, ...of]);
    child.stderr.resume();
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (!line.includes('Prism is listening')) continue;
      child.stdout.resume();
      return new Prism(`http://127.0.0.1:${port}`, child);
    }
    throw new Error(`Prism does not listen: ${lines.join('\n')}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}

function descriptionOf(contract: Contract): string {
  return join(import.meta.dirname, `../../docs/api/openapi-${contract}.json`);
}
