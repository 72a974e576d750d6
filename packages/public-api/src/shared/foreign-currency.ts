import { currencySchema, type Currency } from '@gateway/money';

/**
 * Contract 0.1 knows reais only, and its records name no currency. A record that contract 1.0 made in another currency
 * is shown with that currency, so that pesos are not taken for reais.
 */
export const foreignCurrencySchema = currencySchema
  .exclude(['BRL'])
  .optional()
  .describe('Only on records that contract 1.0 made in another currency than BRL: the currency of the amounts.');

export function foreignCurrency({ currency }: { readonly currency: Currency }) {
  return currency === 'BRL' ? {} : { currency };
}
