import { DomainError } from '@gateway/contracts/errors';
import type { Currency } from '@gateway/money';

/**
 * The connector's amounts name no currency: they are reais. A repeated `externalId` may find a record that the native
 * API made in another currency, which must not be shown as if it were in reais.
 *
 * @throws DomainError CURRENCY_NOT_SUPPORTED
 */
export function requireReais({ currency }: { readonly currency: Currency }): void {
  if (currency === 'BRL') return;
  throw new DomainError('CURRENCY_NOT_SUPPORTED', `externalId is that of a record in ${currency}`);
}
