import { Readable } from 'node:stream';

/** How long the last bytes may take, once a stream is to end. */
const endMs = 250;
/** Shows the reader, and the proxies in between, that the stream lives. */
export const comment = Buffer.from(':\n\n');

interface WakingStreamOptions {
  readonly onClosed: () => void;
  /** It ends for an error that was not to be expected. */
  readonly onFailed?: (error: unknown) => void;
}

/**
 * A stream that writes only when its reader takes what was written before, and waits in between until it has something, or is
 * woken. One that ends, or is hung up on, says so once.
 */
export abstract class WakingStream extends Readable {
  readonly #options: WakingStreamOptions;
  #isEnding = false;
  #wakeUp: () => void = () => undefined;

  constructor(options: WakingStreamOptions) {
    // What is read ahead would wait in memory.
    super({ highWaterMark: 0 });
    this.#options = options;
  }

  /** Ends it after what was sent. A reader that does not take even that is hung up on. */
  end(): void {
    this.endAfterThis();
    this.wake();
    setTimeout(() => this.destroy(), endMs).unref();
  }

  override _read(): void {
    this.next().then(
      (chunk) => void (this.destroyed || this.push(chunk)),
      (error: unknown) => {
        this.#options.onFailed?.(error);
        this.destroy();
      },
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.endAfterThis();
    this.wake();
    this.#options.onClosed();
    callback(error);
  }

  /** What is sent next; null at the end. */
  protected abstract next(): Promise<Buffer | null>;

  protected get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Nothing comes behind what is being sent. */
  protected endAfterThis(): void {
    this.#isEnding = true;
  }

  protected wake(): void {
    this.#wakeUp();
  }

  protected async rest(lengthMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lengthMs);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wakeUp = () => undefined;
  }
}
