import type { WebhookEventName } from '#src/generated/merchants/types.gen.ts';

export { answerOf, endpointToneOf, timingOf, toneOf } from '#src/records/deliveries.ts';

/** Every event that an endpoint can be sent, in the order in which they are read. */
export const events: readonly WebhookEventName[] = [
  ...(['deposit.pending', 'deposit.partially_paid', 'deposit.paid', 'deposit.expired'] as const),
  ...(['deposit.canceled', 'deposit.refunded', 'refund.done', 'refund.failed'] as const),
  ...(['payout.pending', 'payout.processing', 'payout.paid', 'payout.failed'] as const),
  ...(['payout.canceled', 'payout.returned'] as const),
  ...(['med.opened', 'med.under_analysis', 'med.won', 'med.lost'] as const),
  ...(['conversion.completed', 'export.completed', 'webhook.failing', 'webhook.disabled'] as const),
];
