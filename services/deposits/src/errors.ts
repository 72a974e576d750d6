import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { Currency, PaymentMethod } from '@gateway/money';

const retryAfterSec = 5;

/** No provider could take the charge; nothing was created (api.md 1). */
export class ProviderUnavailableError extends DomainError {
  constructor(cause?: unknown, message = 'no payment provider can take the deposit at the moment') {
    super('PROVIDER_UNAVAILABLE', message, { retryAfterSec, cause });
  }
}

/** Operators keep new charges away from each provider that could take it. */
export class ProvidersDisabledError extends ProviderUnavailableError {
  constructor() {
    super(undefined, 'new deposits are switched off: an operator has disabled the payment provider');
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

/** A PIX code carries its amount; only where the payer types it can another one arrive (api.md 2). */
export class AmountFixedError extends ValidationError {
  constructor() {
    super([{ path: 'amount_cents', message: 'is fixed by the charge on PIX' }]);
  }
}

/** Several transfers make up one credit, which is bounded like every amount (api.md 1). */
export class AmountTooLargeError extends ValidationError {
  /** @param left minor units */
  constructor(left: number) {
    super([{ path: 'amount_cents', message: `must be at most ${left} after what has arrived` }]);
  }
}

export class UnknownCursorError extends ValidationError {
  constructor(what = 'a deposit') {
    super([{ path: 'cursor', message: `must be the id of ${what} of this list` }]);
  }
}

export class InvalidStateError extends DomainError {
  constructor(state: string) {
    super('INVALID_STATE', `a deposit that is ${state} cannot do this`);
  }
}

/** Of a deposit whose money has not come, or was not for it. */
export class NotRefundableError extends DomainError {
  constructor(state: string) {
    const reason = state === 'PENDING' ? 'before it is paid' : 'since it was not paid';
    super('INVALID_STATE', `a deposit that is ${state} cannot be refunded ${reason}`);
  }
}

export class RefundExceedsAmountError extends DomainError {
  constructor(left: number | null) {
    super('REFUND_EXCEEDS_AMOUNT', `at most ${left ?? 'what is left'} of the deposit can be refunded`);
  }
}

/** A refund goes to one payer, and a charge may have been paid in several transfers. */
export class RefundExceedsTransferError extends DomainError {
  constructor(left: number) {
    const reason = 'the deposit was paid in several transfers, and a refund is of one of them';
    super('REFUND_EXCEEDS_AMOUNT', `at most ${left} can be refunded at once: ${reason}`);
  }
}

/** Whether the money of a refund is reserved was not answered in time; should it be, it is given back (api.md 1). */
export class RefundUnansweredError extends DomainError {
  constructor(cause?: unknown) {
    super('SERVICE_UNAVAILABLE', 'the balance could not be reserved in time', { retryAfterSec: 1, cause });
  }
}

/** An earlier call of this external_id was given up, and what it may have reserved is not given back yet. */
export class RefundUnderWayError extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'another call with this external_id has not ended yet', { retryAfterSec: 1 });
  }
}

/** It will be sent, or given back; a refund that is sent is listed. */
export class RefundOutcomeUnknownError extends DomainError {
  constructor(cause?: unknown) {
    const message = 'the outcome is not known; repeat the call with the same external_id';
    super('PROVIDER_TIMEOUT', message, { cause });
  }
}

/** A refund needs its gross amount in the available balance (api.md 2). */
export class InsufficientFundsError extends DomainError {
  constructor() {
    super('INSUFFICIENT_FUNDS', 'the available balance does not cover the refund');
  }
}

export class InvalidDisputeStateError extends DomainError {
  constructor(state: string) {
    super('INVALID_STATE', `a dispute that is ${state} cannot do this`);
  }
}

/** A provider reports on a payment that is not credited (yet); the report is applied again. */
export class PaymentUnknownError extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'the payment is not recorded yet', { retryAfterSec: 1 });
  }
}

/** Whether the call under way carries the return out is known when it has ended, or its lease has. */
export class CallUnderWayError extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'the provider is being asked to send it at this moment', { retryAfterSec: 5 });
  }
}

/** A decision is being carried out; the next one is applied later. */
export class DisputeUnderWayError extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'an earlier decision is still being carried out', { retryAfterSec: 1 });
  }
}
