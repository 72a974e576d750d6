import { DomainError, ValidationError, type Currency, type PaymentMethod } from '@gateway/contracts';

const retryAfterSec = 5;

/** No provider could take the charge; nothing was created (api.md 1). */
export class ProviderUnavailableError extends DomainError {
  constructor(cause?: unknown) {
    super('PROVIDER_UNAVAILABLE', 'no payment provider can take the deposit at the moment', { retryAfterSec, cause });
  }
}

/** Another call is creating the deposit of this external_id and has not come to an end in time. */
export class CreationUnderWayError extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'the deposit of this external_id is still being created', { retryAfterSec: 1 });
  }
}

export class CurrencyNotSupportedError extends DomainError {
  constructor(currency: Currency, paymentMethod: PaymentMethod) {
    super('CURRENCY_NOT_SUPPORTED', `deposits in ${currency} by ${paymentMethod} are not supported`);
  }
}

/** A deposit that would leave its merchant nothing (api.md 5). */
export class AmountWithinFeeError extends ValidationError {
  constructor(fee: number) {
    super([{ path: 'amount_cents', message: `must be larger than the fee of ${fee}` }]);
  }
}

export class UnknownCursorError extends ValidationError {
  constructor() {
    super([{ path: 'cursor', message: 'must be the id of a deposit of this list' }]);
  }
}

export class InvalidStateError extends DomainError {
  constructor(state: string) {
    super('INVALID_STATE', `a deposit that is ${state} cannot do this`);
  }
}
