import { currencies, type Currency } from '@gateway/money';

/** Decimal places of a rate. */
const rateDecimals = 8;
const rateScale = 10n ** BigInt(rateDecimals);
const spreadScale = 10_000n;

/** Units of `from` for one unit of `to`, times 10^8: exact, and never a float. */
export type Rate = bigint;

/** @throws RangeError when the text is no positive decimal number; decimals beyond the eighth round the rate up */
export function readRate(text: string): Rate {
  const [, units, decimals = ''] = /^(\d{1,8})(?:\.(\d{1,30}))?$/.exec(text) ?? [];
  if (units === undefined) throw new RangeError(`${text} is no rate`);
  const kept = decimals.slice(0, rateDecimals).padEnd(rateDecimals, '0');
  const beyond = /[1-9]/.test(decimals.slice(rateDecimals)) ? 1n : 0n;
  const rate = BigInt(units + kept) + beyond;
  if (rate === 0n) throw new RangeError('a rate is not zero');
  return rate;
}

/** With 8 decimals: `5.41230000`. */
export function rateText(rate: Rate): string {
  const digits = String(rate).padStart(rateDecimals + 1, '0');
  return `${digits.slice(0, -rateDecimals)}.${digits.slice(-rateDecimals)}`;
}

/** The rate of a caller: the market's and our share, rounded against the caller. */
export function withSpread(market: Rate, spreadBps: number): Rate {
  return ceilDiv(market * (spreadScale + BigInt(spreadBps)), spreadScale);
}

export interface Pair {
  readonly from: Currency;
  readonly to: Currency;
}

/** What a given amount brings, rounded down: less than one unit of `to` is lost. Minor units; may be 0. */
export function targetOf(fromAmount: number, rate: Rate, { from, to }: Pair): bigint {
  return (BigInt(fromAmount) * unit(to) * rateScale) / (rate * unit(from));
}

/** What a wanted amount costs, rounded up: less than one unit of `from` too much. Minor units. */
export function sourceOf(toAmount: number, rate: Rate, { from, to }: Pair): bigint {
  return ceilDiv(BigInt(toAmount) * rate * unit(from), unit(to) * rateScale);
}

function unit(currency: Currency): bigint {
  return 10n ** BigInt(currencies[currency].exponent);
}

function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
