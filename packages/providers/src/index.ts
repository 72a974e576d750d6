export { bacenProvider } from '#src/bacen/bacen-provider.ts';
export type { BacenConfig } from '#src/bacen/config.ts';
export {
  byPeople,
  type Asked,
  type Grade,
  type NotificationGrade,
  type Graded,
  type TwoPeople,
} from '#src/certainty.ts';
export { runProviderCheck, type CheckContext } from '#src/check/run-check.ts';
export type {
  AccountCharge,
  CancelChargeOutcome,
  Charge,
  ChargeInput,
  ChargeLookup,
  ChargeOutcome,
  ChargePayer,
  ChargeReceipt,
  ChargeState,
  CodeCharge,
  PayerDetails,
} from '#src/charges.ts';
export type { DisputeFact, DisputeLookup, DisputeState, EvidenceInput, EvidenceOutcome } from '#src/disputes.ts';
export type { EfiConfig } from '#src/efi/config.ts';
export { efiProvider } from '#src/efi/efi-provider.ts';
export type { Feed, FeedItem, FeedName } from '#src/feeds.ts';
export { failureCodes, type FailureCode } from '#src/failure-codes.ts';
export { failureCodeOf, knownProviderCodes } from '#src/failure-taxonomy.ts';
export { connectLiveProviders, providersVariableSchema, simulatorConfigs } from '#src/live-providers.ts';
export {
  notificationsUrl,
  type NotificationResult,
  type ProviderEvent,
  type ProviderEventBody,
  type ProviderNotification,
} from '#src/notifications.ts';
export type {
  CallOptions,
  Differs,
  NotFound,
  NotSent,
  NotSentReason,
  ReceiptName,
  Refused,
  Unavailable,
  Unknown,
} from '#src/outcomes.ts';
export type { CircuitState } from '#src/http/circuit-breaker.ts';
export type {
  ConnectedProvider,
  PaymentProvider,
  ProviderBalance,
  ProviderBalanceResult,
  ProviderCapabilities,
  RegistrationResult,
} from '#src/payment-provider.ts';
export type {
  PayoutDestination,
  PayoutFailed,
  PayoutInput,
  PayoutLookup,
  PayoutOutcome,
  PayoutPaid,
  PayoutRecipient,
  PayoutReturn,
  PayoutReturns,
  PayoutState,
} from '#src/payouts.ts';
export {
  Providers,
  providersConfigSchema,
  providersFromConfig,
  type ProviderConfig,
} from '#src/providers-from-config.ts';
export type { RefundInput, RefundLookup, RefundOutcome, RefundState } from '#src/refunds.ts';
export { sandboxIspb } from '#src/sandbox/simulated-rails.ts';
export { sandboxClabes, sandboxKeys, sandboxPayoutPlan, type SandboxPayoutPlan } from '#src/sandbox/payout-plan.ts';
export { sandboxProvider } from '#src/sandbox/sandbox-provider.ts';
export {
  simulateChargePaid,
  simulateDisputeOpened,
  simulateDisputeResolved,
  simulatePayoutFailed,
  simulatePayoutPaid,
  simulatePayoutReturned,
} from '#src/sandbox/simulated-events.ts';
export { type StatementFeed, type StatementItem, type StatementLine } from '#src/statement.ts';
export { wooviPublicKey, type WooviConfig } from '#src/woovi/config.ts';
export { wooviProvider } from '#src/woovi/woovi-provider.ts';
