/** What one error code means to the outside: the single source of statuses, docs and the OpenAPI description. */
export interface ErrorFacts {
  readonly status: number;
  /** When the gateway answers with it. */
  readonly meaning: string;
  /** What the caller should do. */
  readonly action: string;
}

/** Every code an answer can carry (spec 7, api.md 1). A refusal without a row here does not compile. */
export const errorTable = {
  VALIDATION_ERROR: {
    status: 400,
    meaning: 'The body, query or path does not fit; `details` names every field.',
    action: 'Correct the named fields and send the request again. Nothing was created.',
  },
  IP_ALLOWLIST_EXCLUDES_CALLER: {
    status: 400,
    meaning: 'The new allowlist leaves out the address the call came from.',
    action: 'Add your own address to the list. Nothing was changed.',
  },
  AUTH_REQUIRED: {
    status: 401,
    meaning: 'A credential header is missing.',
    action: 'Send both x-api-key and x-api-secret, or the same pair as HTTP Basic.',
  },
  AUTH_INVALID: {
    status: 401,
    meaning: 'The key is unknown, its secret is wrong, or it was revoked.',
    action: 'Check the key pair. The answer is the same for all three cases.',
  },
  AUTH_IP_BLOCKED: {
    status: 401,
    meaning: 'The call comes from an address outside the allowlist of the key.',
    action: 'Call from a listed address, or change the list from one.',
  },
  SIGN_IN_REFUSED: {
    status: 401,
    meaning:
      'The sign-in is not valid: an unknown name or passkey, a wrong password or code, or a person who may not sign in.',
    action: 'Try again, or ask a colleague to reset the sign-in. The answer is the same for all cases.',
  },
  SESSION_ENDED: {
    status: 401,
    meaning: 'The session has ended: signed out, idle for too long, at its end, or revoked.',
    action: 'Sign in again. Nothing was changed.',
  },
  PERMISSION_DENIED: {
    status: 403,
    meaning: 'The roles of the person, or the scopes of the token, do not allow the operation.',
    action: 'Ask a person with the permission.',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    meaning: 'The operation has to be confirmed by its person, who signs in a few minutes at most before it.',
    action: 'Confirm exactly this operation and send it again. Nothing was changed.',
  },
  SCOPE_MISSING: {
    status: 403,
    meaning: 'The key is limited to other operations: the message names the scope that it lacks.',
    action: 'Use a key with that scope. The scopes of a key never change: issue another one. Nothing was changed.',
  },
  TEST_ONLY: {
    status: 403,
    meaning: 'A live key called a /v1/test operation.',
    action: 'Use a test key. Live payments cannot be simulated.',
  },
  ACCOUNT_FROZEN: {
    status: 403,
    meaning: 'The account is frozen in this environment; reading, webhooks, credits and payouts under way go on.',
    action: 'Nothing was created or changed. Contact support; `frozen` of GET /v1/account says how much is stopped.',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'No such route, or no such record in this account and environment.',
    action: 'Check the id, and that the key belongs to the same account and environment.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The route exists, but not with this method; `Allow` lists the ones it has.',
    action: 'Use one of the methods in the Allow header.',
  },
  INVALID_STATE: {
    status: 409,
    meaning: 'The state of the record does not allow the operation.',
    action: 'Read the record; do not repeat the call unchanged.',
  },
  SECOND_PERSON_REQUIRED: {
    status: 409,
    meaning: 'The operator who proposed a change cannot decide it.',
    action: 'Let another operator approve or refuse it; its proposer may withdraw it.',
  },
  QUOTE_EXPIRED: {
    status: 409,
    meaning: 'The quote is older than its lifetime.',
    action: 'Ask for a new quote.',
  },
  QUOTE_ALREADY_USED: {
    status: 409,
    meaning: 'The quote was consumed by another conversion.',
    action: 'Ask for a new quote.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The body is larger than 64 KiB.',
    action: 'Send a smaller body.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body is not application/json.',
    action: 'Send JSON with Content-Type: application/json.',
  },
  INSUFFICIENT_FUNDS: {
    status: 422,
    meaning: 'The available balance does not cover the operation.',
    action: 'Wait for funds and send the request again; the external_id is still free.',
  },
  CURRENCY_NOT_SUPPORTED: {
    status: 422,
    meaning: 'No rail exists for the currency or the payment method.',
    action: 'Use a supported pair of currency and payment method.',
  },
  REFUND_EXCEEDS_AMOUNT: {
    status: 422,
    meaning: 'Refunds would add up to more than was paid.',
    action: 'Refund at most what is left of the deposit.',
  },
  LIMIT_REACHED: {
    status: 422,
    meaning: 'The account already has as many of these records as it may.',
    action: 'Remove one that is no longer needed.',
  },
  RATE_LIMITED: {
    status: 429,
    meaning: 'The key, or the address of calls without a key in use, sends more requests than its limit.',
    action: 'Wait for the time in Retry-After.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'A fault on our side; the log has the cause under the request id.',
    action: 'Repeat with the same external_id; contact support with the request id.',
  },
  PROVIDER_UNAVAILABLE: {
    status: 503,
    meaning: 'No payment provider could take the request. Nothing was created.',
    action: 'Repeat after the time in Retry-After.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning:
      'A part of the gateway cannot answer at the moment, or more requests came than it can answer. Nothing was created.',
    action: 'Repeat after the time in Retry-After, with the same external_id.',
  },
  PROVIDER_TIMEOUT: {
    status: 504,
    meaning:
      'No outcome in time. A payout stays PROCESSING and is not refunded; a conversion happens once, now or later, and a ' +
      'refund once or not at all.',
    action:
      'Do not create it again under another external_id: query the payout named in `error.payout_id`; ' +
      'repeat a conversion, a refund, or a payout where none is named, with the same external_id, which answers with the ' +
      'same result.',
  },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof errorTable;

export function statusOf(code: ErrorCode): number {
  return errorTable[code].status;
}
