import { newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { silentLogger } from '@gateway/test-kit';
import type { TreasuryDependencies } from '#src/treasury/dependencies.ts';
import { testBounds, type MemoryVenue } from './memory-venue.ts';

/** A ledger that applies whatever it is asked. */
export const applyingLedger: TreasuryDependencies['askLedger'] = async ({ id: commandId }) => ({
  ...{ commandId, outcome: 'applied', refusal: null, field: null },
  ...{ balances: [], amounts: {}, replayed: false, link: null },
});

/** A treasury that buys from BRL at one exchange, with the books of the orders alone. */
export function treasuryAt(database: Database, venue: MemoryVenue, now: () => number): TreasuryDependencies {
  return {
    ...{ database, venues: [{ venue, currencies: ['BRL'] }], logger: silentLogger },
    ...{ now, gatherMs: 0, bounds: testBounds, askLedger: applyingLedger },
  };
}

export async function emptyTreasury(database: Database): Promise<void> {
  for (const table of ['conversion', 'treasury_order', 'treasury_hold', 'treasury_surplus'])
    await database.query(`delete from ${table}`);
}

/** 540.00 for 100.00, or a part of it. */
export async function insertConversion(database: Database, nowMs: number, parts = 1): Promise<void> {
  await database.query(
    `insert into conversion (environment, account_id, id, external_id, state, from_currency, to_currency, from_amount,
       to_amount, rate, not_after, created_at)
     values ('live', $1, $2, $2, 'COMPLETED', 'BRL', 'USDT', 54000 / $4::int, 10000 / $4::int, '5.40000000', now(), $3)`,
    [newId('account'), newId('conversion'), new Date(nowMs), parts],
  );
}
