/** What decimal text depends on: the decimal places of the smallest unit. Every entry of `currencies` is one. */
export interface DecimalUnit {
  readonly exponent: number;
}

/** What an interface asks of decimal text beyond plain digits with a point. */
export interface DecimalFormat {
  /** Most digits before the point; BACEN and the BR Code have ten. */
  readonly unitDigitsMax?: number;
  /** Reading: `all` takes exactly the decimals of the unit, `upTo` also fewer of them, or none. */
  readonly decimals?: 'all' | 'upTo';
}

/** As many digits of units as a safe integer can have, and some zeros in front of them. */
const unitDigitsMaxDefault = 20;

/**
 * An amount as decimal text, always with all decimals: 1990 BRL is `19.90`. The digits are moved, never computed.
 *
 * @throws RangeError when the amount is negative or no safe integer, or has more digits than the format takes
 */
export function decimalText(
  minorUnits: number,
  { exponent }: DecimalUnit,
  { unitDigitsMax = unitDigitsMaxDefault }: Pick<DecimalFormat, 'unitDigitsMax'> = {},
): string {
  if (!Number.isSafeInteger(minorUnits) || minorUnits < 0) {
    throw new RangeError(`${minorUnits} is no amount in minor units`);
  }
  const { units, decimals } = digitsOf(BigInt(minorUnits), exponent);
  if (units.length > unitDigitsMax)
    throw new RangeError(`${minorUnits} has more than ${unitDigitsMax} digits of units`);
  return joined(units, decimals);
}

/**
 * Reads decimal text digit by digit. Anything but plain ASCII digits with a point and at most the unit's decimals is no
 * amount: no sign, comma, exponent, blank or grouping.
 *
 * @returns minor units, or undefined when the text is no amount of the format or does not fit a safe integer
 */
export function parseDecimal(
  text: string,
  { exponent }: DecimalUnit,
  { unitDigitsMax = unitDigitsMaxDefault, decimals: wanted = 'upTo' }: DecimalFormat = {},
): number | undefined {
  const [, units, decimals = ''] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text) ?? [];
  if (units === undefined || units.length > unitDigitsMax || decimals.length > exponent) return undefined;
  if (wanted === 'all' && decimals.length < exponent) return undefined;
  const minorUnits = BigInt(units + decimals.padEnd(exponent, '0'));
  return minorUnits <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(minorUnits) : undefined;
}

/** A number in JSON whose text is ours: it never was a float on our side. */
export interface DecimalNumber {
  readonly rawJSON: string;
}

/** Source text access of ECMAScript, which Node 24 has and the compiler's library does not know yet. */
const json = JSON as typeof JSON & { rawJSON(text: string): DecimalNumber };

/**
 * Minor units as the decimal number the connector speaks: 1990 BRL is `19.9`, in the shortest form, as its own server
 * writes it. A balance may be negative. For `JSON.stringify` alone.
 */
export function decimalNumber(minorUnits: bigint, { exponent }: DecimalUnit): DecimalNumber {
  const { units, decimals } = digitsOf(minorUnits < 0n ? -minorUnits : minorUnits, exponent);
  return json.rawJSON(`${minorUnits < 0n ? '-' : ''}${joined(units, decimals.replace(/0+$/, ''))}`);
}

function digitsOf(minorUnits: bigint, exponent: number): { readonly units: string; readonly decimals: string } {
  const digits = String(minorUnits).padStart(exponent + 1, '0');
  return { units: digits.slice(0, digits.length - exponent), decimals: digits.slice(digits.length - exponent) };
}

function joined(units: string, decimals: string): string {
  return decimals === '' ? units : `${units}.${decimals}`;
}
