import { GatewayError } from './gateway-error.ts';

export interface ErrorDetail {
  /** The member or parameter, as `payer.document`. */
  readonly path: string;
  readonly message: string;
}

export interface RefusedAnswer {
  readonly status: number;
  /** `HTTP_<status>` when the answer has none, which a gateway always has: a proxy before it answered. */
  readonly code: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | undefined;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** How often the call was sent. */
  readonly attempts: number;
  /** From `Retry-After`, in seconds. */
  readonly retryAfterSec: number | undefined;
  /** Further members of `error`, such as `payout_id`. */
  readonly ids: Readonly<Record<string, string>>;
}

/** An answer that is no success. `code` says why, `details` names each field that does not fit. */
export class ApiError extends GatewayError implements RefusedAnswer {
  static {
    this.prototype.name = 'ApiError';
  }

  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly attempts: number;
  readonly retryAfterSec: number | undefined;
  readonly ids: Readonly<Record<string, string>>;

  constructor(answer: RefusedAnswer) {
    const fields = answer.details.map(({ path, message }) => `${path}: ${message}`).join('; ');
    const id = answer.requestId === undefined ? '' : `, request ${answer.requestId}`;
    const shown = fields === '' || answer.message.includes(fields) ? answer.message : `${answer.message} [${fields}]`;
    super(`${shown} (${answer.status} ${answer.code}${id})`);
    this.status = answer.status;
    this.code = answer.code;
    this.details = answer.details;
    this.requestId = answer.requestId;
    this.headers = answer.headers;
    this.attempts = answer.attempts;
    this.retryAfterSec = answer.retryAfterSec;
    this.ids = answer.ids;
  }
}

/** The gateway does not know the outcome yet. Never send it again under another `external_id`: read the record. */
export class UnknownOutcome extends ApiError {
  static {
    this.prototype.name = 'UnknownOutcome';
  }

  /** The payout whose state decides. */
  get payoutId(): string | undefined {
    return this.ids['payout_id'];
  }

  /** The conversion that happens once, now or later. */
  get conversionId(): string | undefined {
    return this.ids['conversion_id'];
  }

  /** The quote that the conversion uses. */
  get quoteId(): string | undefined {
    return this.ids['quote_id'];
  }
}

/**
 * No answer came: no connection, or one that was lost. With `sent` the call may have been carried out: repeat it with the
 * same `external_id`, or read the record, before you do anything else.
 */
export class ConnectionError extends GatewayError {
  static {
    this.prototype.name = 'ConnectionError';
  }

  /** False when no connection came about, so that nothing can have happened. */
  readonly sent: boolean;
  readonly attempts: number;

  constructor(message: string, facts: { readonly cause?: unknown; readonly sent: boolean; readonly attempts: number }) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.sent = facts.sent;
    this.attempts = facts.attempts;
  }
}

/** No answer within the time of an attempt, or no end within the time of a wait. The call may have been carried out. */
export class TimeoutError extends GatewayError {
  static {
    this.prototype.name = 'TimeoutError';
  }

  readonly attempts: number;
  /** Where a wait ended: the record as it was last. */
  readonly record: unknown;

  constructor(message: string, facts: { readonly attempts: number; readonly record?: unknown }) {
    super(message);
    this.attempts = facts.attempts;
    this.record = facts.record;
  }
}
