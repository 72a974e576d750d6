export { asked, graded } from '#src/certainty.ts';
export { describePaymentProvider } from '#src/testing/describe-payment-provider.ts';
export { chargeInput, newReference, payoutInput, refundInput } from '#src/testing/payment-provider-inputs.ts';
export { linesOf, rowsOf } from '#src/testing/read-feed.ts';
export type { ProviderUnderTest } from '#src/testing/provider-under-test.ts';
export { notificationResult } from '#src/testing/notification-result.ts';
