import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { Currency } from '@gateway/money';

const retryAfterSec = 5;

/** No provider is configured that could take the payout; nothing was created (api.md 1). */
export class ProviderUnavailableError extends DomainError {
  constructor() {
    super('PROVIDER_UNAVAILABLE', 'no payment provider can take the payout at the moment', { retryAfterSec });
  }
}

/** The provider may or may not have taken it: PROCESSING, never refunded blindly (spec 3). */
export class ProviderTimeoutError extends DomainError {
  constructor(payoutId: string, cause?: unknown) {
    super('PROVIDER_TIMEOUT', 'the provider did not answer in time; query the payout before you try again', {
      extra: { payout_id: payoutId },
      cause,
    });
  }
}

/** The balance does not cover amount and fee; no record is kept and the external_id stays free. */
export class InsufficientFundsError extends DomainError {
  constructor() {
    super('INSUFFICIENT_FUNDS', 'the available balance does not cover the amount and its fee');
  }
}

/** Whether the money is reserved was not answered, or not recorded, in time; should it be, it is given back. */
export class ReservationUnansweredError extends DomainError {
  constructor(cause?: unknown) {
    super('SERVICE_UNAVAILABLE', 'the balance could not be reserved in time', { retryAfterSec: 1, cause });
  }
}

/** Another call is creating or undoing the payout of this external_id and has not come to an end in time. */
export class CreationUnderWayError extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'another call with this external_id has not ended yet', { retryAfterSec: 1 });
  }
}

export class CurrencyNotSupportedError extends DomainError {
  constructor(currency: Currency) {
    super('CURRENCY_NOT_SUPPORTED', `payouts in ${currency} are not supported`);
  }
}

export class UnknownCursorError extends ValidationError {
  constructor() {
    super([{ path: 'cursor', message: 'must be the id of a payout of this list' }]);
  }
}

/** A settlement goes to the document that is registered for the account, and nowhere else (api.md 5). */
export class ForeignSettlementError extends ValidationError {
  constructor(paths: readonly string[]) {
    super(paths.map((path) => ({ path, message: 'must be the document registered for the account' })));
  }
}

/** A settlement is a withdrawal to the account's own document; without a registered one there is no one to pay. */
export class UnregisteredSettlementError extends ValidationError {
  constructor() {
    super([
      {
        path: 'kind',
        message:
          'SETTLEMENT goes to the document registered for the account, which has none: ask the operator to register it',
      },
    ]);
  }
}

/** Others changed the payout each time it was to be changed; nothing was done. */
export class ChangingError extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'the payout is being changed by others', { retryAfterSec: 1 });
  }
}

export class ExcessiveReturnError extends ValidationError {
  constructor() {
    super([{ path: 'amount_cents', message: 'must not exceed what is left of the payout' }]);
  }
}
