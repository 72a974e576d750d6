import { z } from 'zod';
import { currencies, decimalText, parseDecimal } from '@gateway/money';

/** Ten digits of reais, a point, two of centavos (schema `CobValor`). */
const format = { unitDigitsMax: 10, decimals: 'all' } as const;

/** Centavos as `37.00`. */
export function amountText(cents: number): string {
  return decimalText(cents, currencies.BRL, format);
}

/** An amount above zero, read into centavos. @param misfit how the provider calls text of another form */
export function amountSchema(misfit?: string) {
  return z.string(misfit).transform((text, context) => {
    const cents = parseDecimal(text, currencies.BRL, format);
    if (cents !== undefined && cents > 0) return cents;
    context.addIssue({ code: 'custom', message: cents === 0 ? 'é zero' : misfit });
    return z.NEVER;
  });
}
