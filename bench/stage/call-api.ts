import type { z } from 'zod';

const answerTimeoutMs = 30_000;

export interface ApiCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** One call outside of the measurement. @throws Error when it was refused, or answered in another shape */
export async function callApi<Schema extends z.ZodType>(call: ApiCall, schema: Schema): Promise<z.infer<Schema>> {
  const response = await fetch(call.url, {
    method: call.method,
    headers: call.body ? { ...call.headers, 'content-type': 'application/json' } : call.headers,
    signal: AbortSignal.timeout(answerTimeoutMs),
    ...(call.body ? { body: JSON.stringify(call.body) } : {}),
  });
  if (!response.ok) throw new Error(`${call.method} ${call.url} answered ${response.status}: ${await response.text()}`);
  return schema.parse(await response.json());
}
