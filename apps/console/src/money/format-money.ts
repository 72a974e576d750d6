import type { Currency } from '#src/generated/types.gen.ts';

/** Decimal places of the smallest unit of each currency; a test holds it against the table of the services. */
export const exponents: Readonly<Record<Currency, number>> = { BRL: 2, MXN: 2, USDT: 2 };

/** U+2212: as wide as a plus sign, and read as a minus. */
const minus = '−';

/**
 * An amount as people read it: `R$ 1.204.310,55`. The decimal text is made digit by digit, so that no amount goes through a
 * float.
 *
 * @param minorUnits an integer in the smallest unit of the currency
 * @throws RangeError for a currency that the console does not know: it would not know where the decimals begin
 */
export function formatMoney(minorUnits: number, currency: string, language: string): string {
  if (!isKnown(currency)) throw new RangeError(`unknown currency: ${currency}`);
  const text = decimalText(minorUnits, exponents[currency]);
  const written = formatterOf(currency, language)
    .format(text as Intl.StringNumericLiteral)
    .replace('-', minus);
  return isIso(currency) ? written : `${written} ${currency}`;
}

function isKnown(currency: string): currency is Currency {
  return Object.hasOwn(exponents, currency);
}

/** `-120.05` of -12005 with two decimals. */
export function decimalText(minorUnits: number, exponent: number): string {
  if (!Number.isSafeInteger(minorUnits)) throw new RangeError(`not an amount in minor units: ${minorUnits}`);
  const digits = String(Math.abs(minorUnits)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const sign = minorUnits < 0 ? '-' : '';
  return exponent === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-exponent)}`;
}

/** USDT is no currency of ISO 4217: its code stands after the figure. */
function isIso(currency: Currency): boolean {
  return currency.length === 3;
}

const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(currency: Currency, language: string): Intl.NumberFormat {
  const key = `${currency} ${language}`;
  const known = formatters.get(key);
  if (known) return known;
  const digits = exponents[currency];
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const style = isIso(currency) ? ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const) : {};
  const made = new Intl.NumberFormat(language, { ...style, ...decimals });
  formatters.set(key, made);
  return made;
}
