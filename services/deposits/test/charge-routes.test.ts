import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

describe('a new charge', () => {
  const unreachable = async () => ({ kind: 'not_sent', reason: 'unreachable', cause: 'ECONNREFUSED' }) as const;

  test('goes to the next provider under the same reference when the first was not reached', async () => {
    const dependencies = stage.onTheWire(
      { id: 'first', createCharge: unreachable },
      { id: 'second', createCharge: unreachable },
      { id: 'third' },
    );
    const { deposit } = await stage.create(request(account()), dependencies);
    const [row] = await dependencies.database.query('select provider, reference from deposit where id = $1', [
      deposit.id,
    ]);
    expect(row).toEqual({ provider: 'third', reference: deposit.id.slice(4) });
  });

  test('is drawn by weight, and not from a provider whose calls fail while another is there', async () => {
    const dependencies = stage.onTheWire({ id: 'heavy' }, { id: 'light' }, { id: 'down' }, { id: 'reserve' });
    const weights = [3, 1, 5, 0];
    const routes = dependencies.chargeRoutes.test.map((route, index) => ({
      ...route,
      weight: () => weights[index]!,
      isHealthy: () => route.provider.id !== 'down',
    }));
    const drawn = { ...dependencies, chargeRoutes: { test: routes, live: [] } };
    const owner = account();
    const draw = (number: number) =>
      stage.create(request(owner, { externalId: `draw-${number}`, account: { ...owner, id: fixedAccount } }), drawn);
    // A few at a time: all at once, a slow machine has them wait for a connection until they are turned away.
    for (let turn = 0; turn < 10; turn++) {
      await Promise.all(Array.from({ length: 8 }, (_, index) => draw(turn * 8 + index)));
    }
    const rows = await drawn.database.query<{ provider: string; charges: number }>(
      'select provider, count(*)::bigint as charges from deposit where account_id = $1 group by provider',
      [fixedAccount],
    );
    const charges = Object.fromEntries(rows.map(({ provider, charges: count }) => [provider, count]));
    expect(Object.keys(charges).toSorted()).toEqual(['heavy', 'light']);
    expect(charges['heavy']).toBeGreaterThan(charges['light']!);
  });

  test('whose answer was lost is asked for again and found by its reference', async () => {
    const references: string[] = [];
    const dependencies = stage.onTheWire({
      createCharge: async (charge) => {
        references.push(charge.ref);
        if (references.length === 1) return { kind: 'unknown', cause: 'timeout' };
        return await stage.dependencies.chargeRoutes.test[0]!.provider.createCharge(charge);
      },
    });
    expect(await stage.create(request(account()), dependencies)).toMatchObject({ created: true });
    expect(references).toHaveLength(2);
    expect(new Set(references).size).toBe(1);
  });
});

/** The draw follows from account and external_id: with a fixed account it is the same on every run. */
const fixedAccount = 'acc_01k9z3m4v6t8x0a2c4e6g8jk01';
