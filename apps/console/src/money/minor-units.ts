import type { Currency } from '#src/generated/types.gen.ts';
import { exponents } from '#src/money/format-money.ts';

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * The smallest units of an amount as the gateway writes it in files and statements: `1234.56` of BRL is 123456.
 *
 * @throws RangeError for what is no such amount, or has more decimals than the currency
 */
export function minorUnitsOf(text: string, currency: Currency): number {
  const [, sign, whole = '', decimals = ''] = decimal.exec(text) ?? [];
  const exponent = exponents[currency];
  if (sign === undefined || decimals.length > exponent) throw new RangeError(`no amount in ${currency}: ${text}`);
  const units = Number(`${whole}${decimals.padEnd(exponent, '0')}`);
  if (!Number.isSafeInteger(units)) throw new RangeError(`too large an amount: ${text}`);
  return sign === '-' ? -units : units;
}

/**
 * The smallest units of an amount as people type and paste it: `1.234,56`, `1,234.56`, `R$ 1234`. The last mark with as many
 * digits behind it as the currency has decimals, or fewer, begins the decimals; all others part thousands.
 *
 * @returns undefined for what is no amount above zero
 */
export function typedMinorUnits(text: string, currency: Currency): number | undefined {
  const digits = text.replace(/[^\d.,]/g, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const tail = last < 0 ? '' : digits.slice(last + 1);
  const hasDecimals = last >= 0 && tail.length <= exponents[currency];
  const whole = (hasDecimals ? digits.slice(0, last) : digits).replace(/[.,]/g, '');
  if (!/\d/.test(digits) || text.includes('-')) return undefined;
  try {
    const units = minorUnitsOf(`${whole || '0'}.${(hasDecimals ? tail : '') || '0'}`, currency);
    return units > 0 ? units : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** As `typedMinorUnits`, of a field that takes zero too. */
export function typedAmount(text: string, currency: Currency): number | undefined {
  return /^\D*0+(?:[.,]0*)?\s*$/.test(text) && !text.includes('-') ? 0 : typedMinorUnits(text, currency);
}
