import { currencies, type Currency } from '#src/money/currency.ts';

/** A number in JSON whose text is ours: it never was a float on our side. */
export interface DecimalNumber {
  readonly rawJSON: string;
}

/** Source text access of ECMAScript, which Node 24 has and the compiler's library does not know yet. */
const json = JSON as typeof JSON & { rawJSON(text: string): DecimalNumber };

/**
 * Minor units as the decimal number the connector speaks: 1990 BRL is `19.9`, in the shortest form, as its own server
 * writes it. For `JSON.stringify` alone.
 */
export function decimalNumber(minorUnits: bigint, currency: Currency): DecimalNumber {
  return json.rawJSON(decimalText(minorUnits, currencies[currency].exponent));
}

/** @param exponent decimal places of the minor unit */
export function decimalText(minorUnits: bigint, exponent: number): string {
  const digits = String(minorUnits < 0n ? -minorUnits : minorUnits).padStart(exponent + 1, '0');
  const units = digits.slice(0, digits.length - exponent);
  const decimals = digits.slice(digits.length - exponent).replace(/0+$/, '');
  return `${minorUnits < 0n ? '-' : ''}${units}${decimals === '' ? '' : `.${decimals}`}`;
}

/**
 * Reads a decimal amount digit by digit: `19.9` and `19.90` are 1990 BRL. Anything but plain digits with a point and at
 * most the currency's decimal places is no amount: no sign, comma, exponent or blank.
 *
 * @returns minor units, or undefined when the text is no amount or does not fit a safe integer
 */
export function parseDecimal(text: string, currency: Currency): number | undefined {
  const { exponent } = currencies[currency];
  const [, units, decimals = ''] = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text) ?? [];
  if (units === undefined || decimals.length > exponent) return undefined;
  const minorUnits = BigInt(units + decimals.padEnd(exponent, '0'));
  return minorUnits <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(minorUnits) : undefined;
}
