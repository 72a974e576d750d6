import { Client, type ClientConfig } from 'pg';
import { bindInOneBuffer } from '#src/bind-message.ts';

const reads = /^\s*(?:select|begin|start|set|rollback|savepoint|release|declare|fetch|close)\b/i;
const readsFirst = /^\s*with\b/i;
const writesBehind = /\b(?:insert|update|delete|merge)\b/i;

/** What is committed counts again: only then do others see it. Where the text does not show it, a statement may write. */
function isWrite(text: string): boolean {
  return !reads.test(text) && (!readsFirst.test(text) || writesBehind.test(text));
}

/** What the driver fails a statement with whose answer has not come within `query_timeout`. */
const timedOut = 'Query read timeout';

/**
 * A connection that is closed when a statement of it has timed out. PostgreSQL may still be carrying that statement out: what
 * is sent next would wait behind it, and behind a `begin` that has arrived all the same, what is written would belong to a
 * transaction that is never committed. The pool keeps no connection that is being closed.
 */
export class PooledClient extends Client {
  /** Called when it is handed a statement that may write. */
  onWrite: (() => void) | undefined;

  constructor(config?: string | ClientConfig) {
    super(config);
    bindInOneBuffer(this);
    const query = this.query.bind(this) as (...statement: unknown[]) => unknown;
    this.query = ((...statement: unknown[]) => {
      if (isWrite(textOf(statement[0]))) this.onWrite?.();
      const answer = query(...statement);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.#afterFailure(error));
      return answer;
    }) as Client['query'];
  }

  #afterFailure(error: unknown): void {
    if (error instanceof Error && error.message === timedOut) void this.end().catch(() => undefined);
  }
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const { text } = (statement ?? {}) as { readonly text?: unknown };
  return typeof text === 'string' ? text : '';
}
