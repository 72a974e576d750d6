export type {
  CancelChargeOutcome,
  Charge,
  ChargeInput,
  ChargeLookup,
  ChargeOutcome,
  ChargePayer,
  ChargeReceipt,
  ChargeState,
  PayerDetails,
  PixCharge,
  SpeiCharge,
} from '#src/charges.ts';
export { failureCodes, type FailureCode } from '#src/failure-codes.ts';
export { failureCodeOf, knownProviderCodes } from '#src/failure-taxonomy.ts';
export { railOf, type Rail, type RailCurrency, type RailMoney } from '#src/money.ts';
export type {
  NotificationTrust,
  NotificationVerdict,
  ProviderEvent,
  ProviderEventBody,
  ProviderNotification,
} from '#src/notifications.ts';
export type { CallOptions, NotFound, NotSent, NotSentReason, Refused, Unavailable, Unknown } from '#src/outcomes.ts';
export type {
  PaymentProvider,
  ProviderBalance,
  ProviderBalanceResult,
  ProviderCapabilities,
} from '#src/payment-provider.ts';
export type {
  PayoutDestination,
  PayoutInput,
  PayoutLookup,
  PayoutOutcome,
  PayoutRecipient,
  PayoutState,
} from '#src/payouts.ts';
export type { RefundInput, RefundLookup, RefundOutcome, RefundState } from '#src/refunds.ts';
export { sandboxIspb } from '#src/sandbox/identifiers.ts';
export { sandboxKeys, sandboxPayoutPlan, type SandboxPayoutPlan } from '#src/sandbox/payout-plan.ts';
export { sandboxProvider } from '#src/sandbox/sandbox-provider.ts';
export {
  simulateChargePaid,
  simulateDisputeOpened,
  simulateDisputeResolved,
  simulatePayoutReturned,
} from '#src/sandbox/simulated-events.ts';
