import { expect } from 'vitest';
import { eventually } from '@gateway/test-kit';
import type { Json } from './merchant-client.ts';

/** A list, and how one more record comes into it. */
export interface WalkedList {
  readonly page: (query: string) => Promise<Json>;
  readonly add: () => Promise<unknown>;
}

const recordsMin = 5;
const pageLength = 2;

/** Walks a list page by page while records come in, and holds what was seen against what was there at the start. */
export async function walk({ page, add }: WalkedList): Promise<void> {
  for (let count = 0; count < recordsMin; count++) await add();
  const atStart = await eventually(
    async () => {
      const ids = idsOf(await page('limit=200'));
      expect(ids.length).toBeGreaterThanOrEqual(recordsMin);
      return ids.slice(0, 3 * recordsMin);
    },
    { timeoutMs: 180_000 },
  );
  const seen: string[] = [];
  let cursor = '';
  do {
    const [answer] = await Promise.all([page(`limit=${pageLength}${cursor}`), add()]);
    seen.push(...idsOf(answer));
    cursor = answer.next_cursor === null ? '' : `&cursor=${answer.next_cursor}`;
  } while (cursor !== '' && !atStart.every((id) => seen.includes(id)));
  expect(new Set(seen).size, 'nothing twice').toBe(seen.length);
  expect(
    seen.filter((id) => atStart.includes(id)),
    'nothing missing, in the same order',
  ).toEqual(atStart);
}

function idsOf(answer: Json): string[] {
  return answer.data.map((record: Json) => record.id ?? record.public_key);
}
