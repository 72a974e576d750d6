import { expect, test } from 'vitest';
import { newMerchant } from './new-merchant.ts';
import { Prism, refusedBy } from './prism.ts';
import type { Stage } from './stage.ts';

/** Calls and answers against the description, by a program that knows nothing else of the gateway. */
export function describeStrictness(given: () => Stage): void {
  const run = async (name: string, connection: object, order: string) => {
    const { code, output } = await given().sdk.run(process.execPath, [
      'run.mjs',
      name,
      JSON.stringify(connection),
      order,
    ]);
    expect([code, output]).toEqual([0, expect.stringContaining('{')]);
    return JSON.parse(output) as Record<string, unknown>;
  };

  test.each([
    ['0.1', 'calls', { paid: 'PAID', payout: 'PAID', csv: true, log: { replayed: [1, 0] } }],
    ['1.0', 'betaJourney', { paid: 'PAID', converted: 'COMPLETED', payout: 'PAID' }],
  ] as const)('a shop sends and receives what the description of contract %s allows', async (...row) => {
    const [contract, name, expected] = row;
    const { plain: _plain, ...connection } = await newMerchant(given().stack);
    await using prism = await Prism.before(connection.baseUrl, contract);
    expect(await run(name, { ...connection, baseUrl: prism.url }, 'order-1')).toMatchObject(expected);
    if (contract === '0.1') expect(await refusedBy(prism, connection)).toBe('body.amount_cents');
  });
}
