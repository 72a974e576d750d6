import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { eventually, freePort } from '@gateway/test-kit';
import type { PackedSdk } from './packed-sdk.ts';
import { workerd } from './runtimes.ts';

/** A Worker that does what `run.mjs` does elsewhere, for what each request asks. */
const entry = `
  import * as journeys from './out/journey.js';
  export default {
    async fetch(request) {
      const { name, connection, order } = await request.json();
      try {
        return Response.json(await journeys[name](connection, order));
      } catch (error) {
        return new Response(String(error?.stack ?? error), { status: 500 });
      }
    },
  };
`;

/** The gateway under test is on this machine, which Workers do not reach unless they may. */
const configOf = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "shop", worker = .shop),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "shop")],
);
const shop :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
);
`;

/** workerd with the merchant's programs and the SDK in one Worker, as it is deployed: bundled, and with no Node. */
export class Workerd implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  static async start(sdk: PackedSdk): Promise<Workerd> {
    const folder = join(sdk.project, 'workerd');
    const port = await freePort();
    await writeFile(join(sdk.project, 'worker-entry.js'), entry);
    const lib = { entry: join(sdk.project, 'worker-entry.js'), formats: ['es' as const], fileName: () => 'worker.js' };
    await build({
      ...{ root: sdk.project, logLevel: 'silent', configFile: false },
      build: { outDir: folder, lib, minify: false },
    });
    await writeFile(join(folder, 'config.capnp'), configOf(port));
    const child = spawn(workerd, ['serve', 'config.capnp'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const started = new Workerd(child, `http://127.0.0.1:${port}/`);
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`workerd ended: ${complaints}`);
      await (await fetch(started.#url, { method: 'POST', body: '{}' })).text();
    });
    return started;
  }

  /** @returns what the journey has come to, or why it failed */
  async run(name: string, connection: object, order: string): Promise<string> {
    const body = JSON.stringify({ name, connection, order });
    return (await fetch(this.#url, { method: 'POST', body })).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
  }
}
