import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newMerchant } from './new-merchant.ts';
import type { Stage } from './stage.ts';

/** Lists that grow while they are walked. */
export function describeLists(given: () => Stage): void {
  test('of a thousand deposits each is walked once while a hundred more are made, and a break sends nothing more', async () => {
    const { stack, sdk } = given();
    const { Gateway } = await import(join(sdk.project, 'node_modules/@gateway/sdk/dist/index.js'));
    const { plain: _plain, ...connection } = await newMerchant(stack);
    let calls = 0;
    const counted = (...call: Parameters<typeof fetch>) => {
      calls += 1;
      return fetch(...call);
    };
    const gateway = new Gateway({ ...connection, fetch: counted });
    const made = new Set<string>();
    const create = async (name: string) => {
      const { id } = await gateway.deposits.create({ amount_cents: 100, external_id: name });
      return id as string;
    };
    const waiting = Array.from({ length: 1_000 }, (_, nth) => nth).values();
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const nth of waiting) made.add(await create(`order-${nth}`));
      }),
    );
    const walked: string[] = [];
    const later: Promise<string>[] = [];
    for await (const { id } of gateway.deposits.list({ limit: 50 })) {
      walked.push(id);
      if (walked.length % 10 === 0) later.push(create(`later-${walked.length}`));
    }
    expect(new Set(await Promise.all(later)).size).toBe(100);
    expect(walked).toHaveLength(1_000);
    expect(new Set(walked)).toEqual(made);
    calls = 0;
    const read: string[] = [];
    for await (const { id } of gateway.deposits.list({ limit: 50 })) {
      read.push(id);
      if (read.length === 75) break;
    }
    expect(calls).toBe(2);
  });
}
