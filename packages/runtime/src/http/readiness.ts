/** Answers when the dependency answers; throws or times out when it does not. */
export type ReadinessCheck = () => Promise<unknown>;

const checkTimeoutMs = 2_000;

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'failing'>>;
}

/** Whether this process can do its work now: it has started, is not stopping, and its dependencies answer. */
export class Readiness {
  readonly #checks = new Map<string, ReadinessCheck>();
  #phase: 'starting' | 'started' | 'stopping' = 'starting';

  add(name: string, check: ReadinessCheck): void {
    this.#checks.set(name, check);
  }

  started(): void {
    this.#phase = 'started';
  }

  stopping(): void {
    this.#phase = 'stopping';
  }

  async report(): Promise<ReadinessReport> {
    const results = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, (await answers(check)) ? 'ok' : 'failing'] as const),
    );
    const checks = Object.fromEntries(results);
    const ready = this.#phase === 'started' && results.every(([, state]) => state === 'ok');
    return { ready, checks };
  }
}

async function answers(check: ReadinessCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), checkTimeoutMs);
  });
  try {
    await Promise.race([check(), timeout]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
