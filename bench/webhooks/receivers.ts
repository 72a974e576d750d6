import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type ReceiversCommand =
  { readonly kind: 'open'; readonly count: number } | { readonly kind: 'arrivals'; readonly path: string };

/** What came at one path, at all servers together. Times are of the machine's monotonic clock. */
export interface Arrivals {
  readonly deliveries: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export interface Receivers extends Disposable {
  /** One per server. */
  readonly origins: readonly string[];
  arrivals(path: string): Promise<Arrivals>;
}

export async function startReceivers(count: number): Promise<Receivers> {
  const child = fork(fileURLToPath(new URL('./receivers-process.ts', import.meta.url)));
  const ports = (await ask(child, { kind: 'open', count })) as number[];
  return {
    origins: ports.map((port) => `http://127.0.0.1:${port}`),
    arrivals: async (path) => (await ask(child, { kind: 'arrivals', path })) as Arrivals,
    [Symbol.dispose]: () => child.disconnect(),
  };
}

async function ask(child: ChildProcess, command: ReceiversCommand): Promise<unknown> {
  const answer = once(child, 'message');
  child.send(command);
  return ((await answer) as [unknown])[0];
}
