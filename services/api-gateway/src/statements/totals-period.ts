import { ValidationError } from '@gateway/contracts/errors';
import { secondsOfPeriod, type TotalsQuery } from '@gateway/public-api';

const daySec = 86_400;
/** The period without a `from`, and the longest one. */
const periods = {
  hour: { usualSec: daySec, maxSec: 31 * daySec },
  day: { usualSec: 30 * daySec, maxSec: 400 * daySec },
} as const;

/**
 * The period that is asked for in Unix seconds: the last 24 hours by the hour, the last 30 days by the day where no `from` says
 * otherwise.
 *
 * @throws ValidationError naming `from` for a period that is too long, or none
 */
export function boundsOf(
  query: Pick<TotalsQuery, 'by' | 'zone' | 'from' | 'to'>,
  now: Date,
): { readonly from: number; readonly to: number } {
  const { usualSec, maxSec } = periods[query.by];
  const { from: given, to = now.getTime() / 1_000 } = secondsOfPeriod(query);
  const from = given ?? to - usualSec;
  if (from >= to) throw new ValidationError([{ path: 'from', message: 'must be before to' }]);
  if (to - from > maxSec) {
    throw new ValidationError([{ path: 'from', message: `must be at most ${maxSec / daySec} days before to` }]);
  }
  return { from, to };
}
