import type { Logger } from '#src/telemetry/logger.ts';
import { backoffMs } from '#src/run/backoff.ts';

export interface LoopOptions {
  readonly name: string;
  /** Pause between two rounds; `wake` shortens it. */
  readonly intervalMs: number;
  readonly logger: Logger;
  /**
   * One round. Answering true means there is more to do at once, a number the milliseconds until the next round where
   * they are not `intervalMs`.
   */
  readonly work: (signal: AbortSignal) => Promise<boolean | number | void>;
}

/** Background work that repeats and never overlaps itself. A failing round is logged and tried again with backoff. */
export class Loop implements AsyncDisposable {
  readonly #options: LoopOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #woken = false;
  #wakeUp: (() => void) | undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Starts the next round now, or right after the one that is running. */
  wake(): void {
    this.#woken = true;
    this.#wakeUp?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#wakeUp?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      this.#woken = false;
      try {
        const more = await this.#options.work(this.#stopping.signal);
        failures = 0;
        if (more === true) continue;
        await this.#pause(typeof more === 'number' ? more : this.#options.intervalMs, true);
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#options.logger.error({ err: error, loop: this.#options.name }, 'background work failed');
        await this.#pause(backoffMs(failures++), false);
      }
    }
  }

  /** Waits; a wake-up ends it early unless the last round failed, where the backoff holds. */
  async #pause(ms: number, wakeable: boolean): Promise<void> {
    if (this.#stopping.signal.aborted || (wakeable && this.#woken)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = () => {
        if (!wakeable && !this.#stopping.signal.aborted) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wakeUp = undefined;
  }
}

export function startLoop(options: LoopOptions): Loop {
  return new Loop(options);
}
