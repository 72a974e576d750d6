import { Client, type ClientConfig } from 'pg';
import { bindInOneBuffer } from '#src/bind-message.ts';

/** What the driver fails a statement with whose answer has not come within `query_timeout`. */
const timedOut = 'Query read timeout';

/**
 * A connection that is closed when a statement of it has timed out. PostgreSQL may still be carrying that statement out: what
 * is sent next would wait behind it, and behind a `begin` that has arrived all the same, what is written would belong to a
 * transaction that is never committed. The pool keeps no connection that is being closed.
 */
export class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    bindInOneBuffer(this);
    const query = this.query.bind(this) as (...statement: unknown[]) => unknown;
    this.query = ((...statement: unknown[]) => {
      const answer = query(...statement);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.#afterFailure(error));
      return answer;
    }) as Client['query'];
  }

  #afterFailure(error: unknown): void {
    if (error instanceof Error && error.message === timedOut) void this.end().catch(() => undefined);
  }
}
