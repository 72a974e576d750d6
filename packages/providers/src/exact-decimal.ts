import { z } from 'zod';

/** Decimal places that are kept; the longest that an exchange has shown is twelve. */
const decimals = 18;
const scale = 10n ** BigInt(decimals);

/** A decimal number times 10^18: exact, and never a float. */
export type Exact = bigint;

/** @throws RangeError for text that is no decimal number, or that has more decimals than are kept */
export function exact(text: string): Exact {
  const [, sign, units = '', rest = ''] = /^(-?)(\d{0,15})(?:\.(\d{0,18})0*)?$/.exec(text) ?? [];
  if (sign === undefined || (units === '' && rest === '')) throw new RangeError('not a decimal number');
  const value = BigInt(`${units}${rest.padEnd(decimals, '0')}`);
  return sign === '-' ? -value : value;
}

/** Without zeros at its end: `123.4567`. */
export function exactText(value: Exact): string {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const rest = digits.slice(-decimals).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -decimals)}${rest === '' ? '' : `.${rest}`}`;
}

export function exactProduct(one: Exact, other: Exact): Exact {
  return (one * other) / scale;
}

export function exactMagnitude(value: Exact): Exact {
  return value < 0n ? -value : value;
}

/** Decimal text of an answer; some exchanges leave out the zero before the point. */
export const exactTextSchema = z.string().transform((text, context) => {
  try {
    return exact(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be decimal text' });
    return z.NEVER;
  }
});

/** Minor units with two decimals, as the ledger books: rounded down, or up. */
export function minorUnitsOf(value: Exact, rounding: 'down' | 'up'): number {
  const unit = scale / 100n;
  const floor = value / unit;
  return Number(rounding === 'up' && floor * unit < value ? floor + 1n : floor);
}

export function exactOfMinorUnits(amount: number): Exact {
  return (BigInt(amount) * scale) / 100n;
}

/** One divided by a share that is left: `amount / (1 - fee)`, rounded up. */
export function grossOf(net: Exact, fee: Exact): Exact {
  const rest = scale - fee;
  return (net * scale + rest - 1n) / rest;
}
