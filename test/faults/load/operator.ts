import { eventually } from '@gateway/test-kit';
import type { Json } from '../../support/merchant-client.ts';

const timeoutMs = 60_000;
const callTimeoutMs = 30_000;

/** An operator at the operators' API. */
export class Operator {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Repeats what is refused for the moment; a creation may therefore happen twice. */
  async call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<Json> {
    return await eventually(() => this.#once(method, path, body), { timeoutMs, everyMs: 200 });
  }

  async #once(method: string, path: string, body: unknown): Promise<Json> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return await response.json();
  }
}
