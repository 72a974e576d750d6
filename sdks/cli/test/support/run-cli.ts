import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { run } from '#src/run.ts';
import type { Streams } from '#src/output/output.ts';
import type { Variables } from '#src/settings/folders.ts';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Home extends Disposable {
  readonly folder: string;
  readonly variables: Variables;
}

/** Folders of a person who has just come. */
export function newHome(more: Variables = {}): Home {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-cli-'));
  const variables = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state'), ...more };
  return { folder, variables, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A key in the environment, and a gateway that is not there. */
export function keyOf(environment: 'test' | 'live'): Variables {
  return {
    GATEWAY_BASE_URL: 'http://gateway.test',
    GATEWAY_API_KEY: `pk_${environment}_0123456789`,
    GATEWAY_API_SECRET: secretOfTests,
  };
}

export const secretOfTests = 'sk_secret_of_tests_0123456789';

/** Runs the command line in this process, as one that is piped. */
export async function runCli(
  args: readonly string[],
  { folder, variables }: Pick<Home, 'folder' | 'variables'>,
  signal: AbortSignal = new AbortController().signal,
  onStdout: (text: string) => void = () => undefined,
  stdin: object = { isTTY: false },
): Promise<Finished> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) =>
    new Writable({
      write: (bytes: Buffer, _encoding, done) => {
        written[name] += bytes.toString();
        if (name === 'stdout') onStdout(bytes.toString());
        done();
      },
    });
  const streams = { stdout: stream('stdout'), stderr: stream('stderr'), stdin } as unknown as Streams;
  const code = await run(args, { variables, folder, streams, signal });
  return { code, ...written };
}
