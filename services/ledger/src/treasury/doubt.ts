import { exact, exactOfMinorUnits, exactProduct, type Execution } from '@gateway/providers/venues';
import { takerFeeMax } from '#src/treasury/order-for.ts';
import type { OrderRow } from '#src/treasury/order-row.ts';

/** A venue rounds each of its figures by less. */
const tolerance = exactOfMinorUnits(1);

/**
 * Why an execution cannot be one of the order, as the venue shows it; null for one that can. What was booked of it would be
 * wrong, and where nothing of it could be booked the same would be ordered again: it stays open until it is shown otherwise.
 */
export function doubtOf({ amount, priceMax }: Pick<OrderRow, 'amount' | 'priceMax'>, found: Execution): string | null {
  const [bought, spent, fee] = [exact(found.bought), exact(found.spent), exact(found.fee)];
  const share = (of: bigint) => exactProduct(of, takerFeeMax) + tolerance;
  const value = exactProduct(bought, exact(priceMax));
  if (bought > exact(amount)) return `${found.bought} bought cannot be, ${amount} were ordered`;
  if (spent > value + share(value)) return `${found.spent} spent cannot be, ${found.bought} at ${priceMax} cost less`;
  if (bought > 0n && spent <= 0n) return `${found.bought} bought for nothing cannot be`;
  if (fee > share(bought)) return `a fee of ${found.fee} cannot be, ${found.bought} were bought`;
  return null;
}
