import { MathBN, MedusaError } from '@medusajs/framework/utils';
import type { BigNumberInput } from '@medusajs/framework/types';

const centsMax = 9_999_999_999;

/**
 * An amount of Medusa, in reais, as cents. What taxes and discounts leave behind the second decimal place is rounded half
 * up, as Medusa rounds the total that its shops show.
 *
 * @throws MedusaError INVALID_DATA for an amount that is no amount of a charge, or another currency than BRL
 */
export function centsOf(amount: BigNumberInput, currency = 'brl'): number {
  if (currency.toLowerCase() !== 'brl') throw invalid(`currency_code ${currency}: PIX is in BRL`);
  const cents = MathBN.convert(MathBN.mult(amount, 100), 0);
  if (!MathBN.gt(cents, 0) || MathBN.gt(cents, centsMax)) throw invalid(`amount ${String(amount)} cannot be charged`);
  return cents.toNumber();
}

/** Cents as the decimal text that Medusa reads as an amount in reais; no floating point on the way. */
export function reaisOf(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function invalid(message: string): MedusaError {
  return new MedusaError(MedusaError.Types.INVALID_DATA, message);
}
