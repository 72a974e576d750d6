import { expect } from 'vitest';
import { DescribedApi } from './described-api.ts';
import type { Answer, Json } from './merchant-client.ts';

/** Calls operations of a described API, and holds every answer against the description. */
export class DescribedClient {
  readonly api: DescribedApi;
  /** Ids of the operations that have answered 2xx. */
  readonly succeeded = new Set<string>();
  readonly #url: string;

  private constructor(api: DescribedApi, url: string) {
    this.api = api;
    this.#url = url;
  }

  /** @param below where the described paths begin */
  static async of(url: string, path?: string, below = ''): Promise<DescribedClient> {
    return new DescribedClient(await DescribedApi.read(url, path), `${url}${below}`);
  }

  /** Calls under those headers, as `call('GET /v1/balance')`. Fails when the answer is not as described. */
  as(headers: Readonly<Record<string, string>>) {
    return async (call: string, body?: unknown, more: Readonly<Record<string, string>> = {}): Promise<Answer> => {
      const [method = '', path = ''] = call.split(' ');
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(`${this.#url}${path}`, {
        method,
        headers: { ...headers, ...type, ...more },
        body: body === undefined ? null : body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
      });
      const text = await response.text();
      const operation = this.api.operationOf(method, path);
      const answer = { status: response.status, headers: response.headers, text };
      expect(this.api.complaints(operation, answer), `${call} ${text}`).toEqual([]);
      if (response.ok) this.succeeded.add(operation.id);
      return { ...answer, body: parsed(text) };
    };
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
