import { z } from 'zod';
import type { Stack } from '@gateway/local-stack';
import { callApi } from './call-api.ts';
import type { Merchant } from './merchants.ts';

/** Goes through a list of the API, page by page, to its end. */
export async function* readList<Schema extends z.ZodType>(
  { baseUrl }: Stack,
  { headers }: Merchant,
  path: string,
  record: Schema,
): AsyncGenerator<z.infer<Schema>> {
  const pageSchema = z.object({ data: z.array(record), next_cursor: z.string().nullable() });
  const url = new URL(path, baseUrl);
  url.searchParams.set('limit', '200');
  for (;;) {
    const page = await callApi({ method: 'GET', url: url.href, headers }, pageSchema);
    yield* page.data;
    if (page.next_cursor === null) return;
    url.searchParams.set('cursor', page.next_cursor);
  }
}
