/** One key pair speaking to the public API, the way a merchant's own code would. */
export class MerchantClient {
  readonly #baseUrl: string;
  readonly #headers: Record<string, string>;

  constructor(baseUrl: string, keys: { public_key: string; secret_key: string }) {
    this.#baseUrl = baseUrl;
    this.#headers = { 'x-api-key': keys.public_key, 'x-api-secret': keys.secret_key };
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  get = (path: string): Promise<Answer> => this.call('GET', path);
  post = (path: string, body?: unknown): Promise<Answer> => this.call('POST', path, body);
}

/** JSON as it came; tests look into it with matchers. */
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
