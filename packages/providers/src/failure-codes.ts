import { failureMessages, type PayoutFailureReason } from '@gateway/contracts/payouts';

interface FailureCodeFacts {
  /** What is on record where the provider has no words of its own. */
  readonly meaning: string;
  /** True when the cause is ours or our provider's and an operator has to act. */
  readonly operatorAlarm: boolean;
}

const merchant = (code: PayoutFailureReason): FailureCodeFacts => ({
  meaning: failureMessages[code].en,
  operatorAlarm: false,
});
const operator = (code: PayoutFailureReason): FailureCodeFacts => ({ ...merchant(code), operatorAlarm: true });

/** Every reason a rail or a provider can give for not paying; the provider's part of the documented `failure_reason` set. */
export const failureCodes = {
  invalid_account: merchant('invalid_account'),
  account_blocked: merchant('account_blocked'),
  account_closed: merchant('account_closed'),
  account_type_not_allowed: merchant('account_type_not_allowed'),
  amount_limit: merchant('amount_limit'),
  provider_balance: operator('provider_balance'),
  provider_restricted: operator('provider_restricted'),
  owner_mismatch: merchant('owner_mismatch'),
  invalid_request: operator('invalid_request'),
  rejected_by_bank: merchant('rejected_by_bank'),
  duplicate: operator('duplicate'),
  compliance: merchant('compliance'),
  regulatory: merchant('regulatory'),
  settlement_failed: merchant('settlement_failed'),
  key_not_found: merchant('key_not_found'),
  lookup_limit: operator('lookup_limit'),
  return_window_expired: merchant('return_window_expired'),
  return_of_return: merchant('return_of_return'),
  unspecified: operator('unspecified'),
} as const satisfies Record<string, FailureCodeFacts>;

export type FailureCode = keyof typeof failureCodes;
