import { expect } from 'vitest';
import { eventually } from '@gateway/test-kit';
import type { Answer } from './merchant-client.ts';

/** Fewer than the gateway admits of one account at a time. */
const atOnce = 16;

/**
 * Calls for each of them, several at once, and once more what a busy gateway has refused for the moment: what is repeated has
 * to be the same the second time.
 *
 * @returns the answers, in the order of the items
 */
export async function callForAll<Item>(
  items: readonly Item[],
  status: number,
  call: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const waiting = items.entries();
  const work = async () => {
    for (const [index, item] of waiting) {
      answers[index] = await eventually(async () => {
        const answer = await call(item);
        expect(answer.status).toBe(status);
        return answer;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}
