import { expect } from 'vitest';
import { eventually } from '@gateway/test-kit';
import type { Merchant } from '../sdk/new-merchant.ts';
import type { Answer } from '../support/merchant-client.ts';

/** Sells something: a deposit that is paid, which are two events. */
export async function sell(shop: Merchant, order: string): Promise<void> {
  const { body } = await done(shop, '/v1/deposits', { amount_cents: 100, external_id: order });
  // What was paid by a call whose answer was lost is a conflict.
  expect([200, 409]).toContain((await done(shop, `/v1/test/deposits/${body.id}/pay`)).status);
}

/** What a gateway that is away or has no room did not answer is asked for again: it was not done, or is found again. */
function done({ plain }: Merchant, path: string, body?: object): Promise<Answer> {
  return eventually(async () => {
    const answer = await plain.post(path, body);
    expect(answer.status).toBeLessThan(500);
    return answer;
  });
}

/** The ids of all events of an account, in the order of its log. */
export async function loggedIds({ plain }: Merchant): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; cursor !== 'none';) {
    const { body } = await plain.get(`/v1/events?order=asc&limit=200${cursor}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor === null ? 'none' : `&cursor=${body.next_cursor}`;
  }
  return ids;
}
