import { holdReasonSchema } from '@gateway/contracts/conversions';
import type { Database } from '@gateway/persistence';
import { level, startLoop, type Logger } from '@gateway/runtime';
import type { TreasuryVenue } from '#src/treasury/dependencies.ts';
import { readHolds } from '#src/treasury/holds.ts';
import { convertible, readPositions } from '#src/treasury/position.ts';
import { readVenues } from '#src/treasury/venues.ts';

const sampleIntervalMs = 15_000;

const uncovered = level('gateway_treasury_uncovered', 'USDT owed for live conversions and not bought, minor units', [
  'currency',
]);
const waiting = level('gateway_treasury_waiting_seconds', 'Age of the oldest live conversion that is not covered', [
  'currency',
]);
const held = level(
  'gateway_treasury_held',
  'Markets in which no USDT is ordered, because they are outside of the bounds',
  ['venue', 'currency', 'reason'],
);
const difference = level('gateway_treasury_difference_cents', 'What nothing explains of what an exchange holds', [
  'venue',
  'currency',
]);

/** Samples what is not covered, and what exchanges hold beyond the books or short of them. */
export function observeTreasury(database: Database, venues: readonly TreasuryVenue[], logger: Logger): AsyncDisposable {
  return startLoop({
    name: 'treasury metrics',
    intervalMs: sampleIntervalMs,
    logger,
    work: async () => {
      await showPositions(database);
      await showHolds(database, venues);
      await showDifferences(database, venues);
    },
  });
}

/** Read from the table, so that an uncovered position stays visible after a restart. */
async function showPositions(database: Database): Promise<void> {
  const positions = await readPositions(database);
  for (const currency of convertible) {
    const position = positions.find((each) => each.currency === currency);
    uncovered.set(position?.uncovered ?? 0, { currency });
    waiting.set(position?.since ? (Date.now() - position.since.getTime()) / 1_000 : 0, { currency });
  }
}

/** Every market of the configuration has its three, so that an alert finds them before the first hold. */
export async function showHolds(database: Database, venues: readonly TreasuryVenue[]): Promise<void> {
  const holds = await readHolds(database);
  held.reset();
  for (const { venue, currencies: covered } of venues) {
    for (const currency of covered) {
      for (const reason of holdReasonSchema.options) held.set(0, { venue: venue.id, currency, reason });
    }
  }
  for (const { venue, currency, reason } of holds) held.set(1, { venue, currency, reason });
}

/** Read from the table, so that every process shows the newest comparison; an exchange that is gone is not shown. */
export async function showDifferences(database: Database, venues: readonly TreasuryVenue[]): Promise<void> {
  const shown = (await readVenues(database, venues)).venues;
  difference.reset();
  for (const { id: venue, balances } of shown) {
    for (const { currency, difference: cents } of balances) difference.set(cents ?? 0, { venue, currency });
  }
}
