import type { Json } from '../../support/merchant-client.ts';
import { expectStatus, type CarefulClient } from '../load/careful-client.ts';

const pageRecords = 100;

/** Every record of a list, page by page. */
export async function readAll(client: CarefulClient, path: string): Promise<Json[]> {
  const records: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body }: { body: Json } = expectStatus(await client.get(`${path}?limit=${pageRecords}${from}`), 200);
    records.push(...(body.data as Json[]));
    cursor = body.next_cursor as string | null;
  }
  return records;
}
