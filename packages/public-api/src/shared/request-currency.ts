import { z } from 'zod';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import {
  currencies,
  currencySchema,
  moves,
  paymentMethodSchema,
  railsOf,
  type Currency,
  type PaymentMethod,
} from '@gateway/money';

/** Any text: one that names no currency of ours is refused 422, not 400 (api.md 3). */
export const requestCurrencySchema = z.string().meta({ enum: currencySchema.options });
export const requestPaymentMethodSchema = z.string().meta({ enum: paymentMethodSchema.options });

const currencyDefault: Currency = 'BRL';

/** The currency a body names, or undefined when it is none of ours. */
export function knownCurrency(text: string | null | undefined): Currency | undefined {
  return currencySchema.safeParse(text ?? currencyDefault).data;
}

interface Wanted {
  readonly currency?: string | null | undefined;
  readonly payment_method?: string | null | undefined;
  readonly amount: number;
}

/**
 * The currency of a request and the rail its money is to move on; without a method, the usual one of the currency.
 *
 * @throws DomainError CURRENCY_NOT_SUPPORTED when there is no such currency, or it does not move so
 * @throws ValidationError when the amount is out of the currency's bounds
 */
export function readRail(request: Wanted): { readonly currency: Currency; readonly paymentMethod: PaymentMethod } {
  const currency = requireCurrency(request.currency);
  const { amountMin, amountMax } = currencies[currency];
  const method = paymentMethodSchema.safeParse(request.payment_method ?? railsOf(currency)[0]).data;
  if (!method || !moves(currency, method)) {
    const named = request.payment_method ? ` by ${request.payment_method}` : '';
    throw new DomainError('CURRENCY_NOT_SUPPORTED', `no payment moves ${currency}${named}`);
  }
  if (request.amount < amountMin) throw outOfBounds(`must be at least ${amountMin} in ${currency}`);
  if (request.amount > amountMax) throw outOfBounds(`must be at most ${amountMax} in ${currency}`);
  return { currency, paymentMethod: method };
}

/** @throws DomainError CURRENCY_NOT_SUPPORTED */
export function requireCurrency(text: string | null | undefined): Currency {
  const currency = knownCurrency(text);
  if (!currency) throw new DomainError('CURRENCY_NOT_SUPPORTED', 'the currency is not supported');
  return currency;
}

function outOfBounds(message: string): ValidationError {
  return new ValidationError([{ path: 'amount', message }]);
}
