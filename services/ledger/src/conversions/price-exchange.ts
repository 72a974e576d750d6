import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { currencies } from '@gateway/money';
import type { Exchange } from '#src/conversions/conversion-row.ts';
import type { RateSource } from '#src/rates/rate-source.ts';
import { rateText, sourceOf, targetOf, type Pair } from '#src/rates/rate.ts';

export interface ExchangeRequest extends Pair {
  /** Which side `amount` is of. */
  readonly fixed: 'from' | 'to';
  /** Minor units. */
  readonly amount: number;
}

/**
 * Both amounts of an exchange at the current rate, rounded against the caller by less than one unit (api.md 3).
 *
 * @throws DomainError CURRENCY_NOT_SUPPORTED for a pair that is not changed
 * @throws ValidationError when nothing would come of it, or more than an amount may be
 * @throws RateUnavailableError
 */
export async function priceExchange(
  source: RateSource,
  { from, to, fixed, amount }: ExchangeRequest,
): Promise<Exchange> {
  if (!currencies[from].convertsTo.includes(to)) {
    const back = currencies[to].convertsTo.includes(from) ? ': a conversion is not taken back' : '';
    throw new DomainError('CURRENCY_NOT_SUPPORTED', `${from} is not changed into ${to}${back}`);
  }
  const rate = await source.rateOf({ from, to });
  const wanted = fixed === 'from' ? targetOf(amount, rate, { from, to }) : BigInt(amount);
  const cost = fixed === 'from' ? BigInt(amount) : sourceOf(amount, rate, { from, to });
  const path = fixed === 'from' ? 'amount' : 'target_amount';
  if (wanted < currencies[to].amountMin) throw misfit(path, `is worth less than one unit of ${to}`);
  if (wanted > currencies[to].amountMax) throw misfit(path, `must be worth at most ${currencies[to].amountMax} ${to}`);
  if (cost > currencies[from].amountMax) throw misfit(path, `must cost at most ${currencies[from].amountMax} ${from}`);
  return { from, to, fromAmount: Number(cost), toAmount: Number(wanted), rate: rateText(rate) };
}

function misfit(path: string, message: string): ValidationError {
  return new ValidationError([{ path, message }]);
}
