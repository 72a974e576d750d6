interface FailureCodeFacts {
  /** What the documentation of `failure_reason` says to the merchant. */
  readonly meaning: string;
  /** True when the cause is ours or our provider's and an operator has to act. */
  readonly operatorAlarm: boolean;
}

const merchant = (meaning: string): FailureCodeFacts => ({ meaning, operatorAlarm: false });
const operator = (meaning: string): FailureCodeFacts => ({ meaning, operatorAlarm: true });

/** Every reason a rail or a provider can give for not paying; the provider's part of the documented `failure_reason` set. */
export const failureCodes = {
  invalid_account: merchant('The receiving account does not exist or its number is wrong.'),
  account_blocked: merchant('The receiving account is blocked.'),
  account_closed: merchant('The receiving account is closed.'),
  account_type_not_allowed: merchant('The receiving account may not take this kind of payment.'),
  amount_limit: merchant('The amount exceeds a limit of the receiver, the payer or the provider.'),
  provider_balance: operator("The gateway's balance at the provider does not suffice."),
  provider_restricted: operator("The gateway's account at the provider is not allowed to do this."),
  owner_mismatch: merchant('The key or account belongs to somebody other than the named recipient.'),
  invalid_request: operator('The provider or the rail found the payment order malformed.'),
  rejected_by_bank: merchant("The receiver's bank declined the payment."),
  duplicate: operator('The rail has seen this payment already.'),
  compliance: merchant('The payment was stopped on suspicion of fraud or by a risk rule.'),
  regulatory: merchant('The payment was stopped for a regulatory reason.'),
  settlement_failed: merchant('Settlement was aborted; nothing was paid. A new payout may be made.'),
  key_not_found: merchant('No account is registered under the key.'),
  lookup_limit: operator('Too many key lookups; the directory refuses more for now.'),
  return_window_expired: merchant('The payment is too old to be returned.'),
  return_of_return: merchant('A return cannot be returned.'),
  unspecified: operator('The provider gave no reason, or one that is not known here.'),
} as const satisfies Record<string, FailureCodeFacts>;

export type FailureCode = keyof typeof failureCodes;
