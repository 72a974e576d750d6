/** Largest amount a BR Code can carry: ten digits of reais and two of centavos. */
export const brCodeAmountMaxCents = 999_999_999_999;

/**
 * Field 54 as the gateway writes it: `1234.56`, a point and always two decimals.
 *
 * @throws RangeError unless the amount is a whole number of cents from 1 to `brCodeAmountMaxCents`
 */
export function toAmountText(amountCents: number): string {
  if (!Number.isSafeInteger(amountCents) || amountCents < 1 || amountCents > brCodeAmountMaxCents) {
    throw new RangeError(`a BR Code carries 1 to ${brCodeAmountMaxCents} cents, not ${amountCents}`);
  }
  const digits = String(amountCents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Minor units of an amount as EMVCo allows it (`10`, `10.`, `10.5`, `10.50`); null for anything else. */
export function fromAmountText(text: string): number | null {
  const match = /^(\d{1,10})(?:\.(\d{0,2}))?$/.exec(text);
  if (!match) return null;
  const [, units = '', decimals = ''] = match;
  return Number(units + decimals.padEnd(2, '0'));
}
