import type { BookedMoney } from '#src/providers/booked-money.ts';

/**
 * What nothing explains of what a provider holds: 0 when it lies within what the books allow. Several readings of the
 * books, made while the provider was asked, allow whatever lies between them: money moves in the meantime, and its
 * reports come late.
 *
 * @returns signed minor units; more than zero when the provider holds more
 */
export function unexplained(held: number, ownFunds: number, readings: readonly BookedMoney[]): number {
  const least = ownFunds + Math.min(...readings.map((reading) => expected(reading, 'atLeast')));
  const most = ownFunds + Math.max(...readings.map((reading) => expected(reading, 'atMost')));
  if (held < least) return held - least;
  return held > most ? held - most : 0;
}

/**
 * Our own money at a provider: what it holds beyond the books. Null while money moves, since the difference could be that
 * money.
 */
export function ownFundsOf(held: number, readings: readonly BookedMoney[]): number | null {
  const [first] = readings;
  if (!first) return null;
  const moves = readings.some(({ booked, inFlight }) => booked !== first.booked || inFlight.length > 0);
  return moves ? null : held - first.booked;
}

function expected({ booked, inFlight }: BookedMoney, bound: 'atLeast' | 'atMost'): number {
  return inFlight.reduce((sum, money) => sum + money[bound], booked);
}
