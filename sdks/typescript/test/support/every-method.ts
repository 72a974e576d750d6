import type { Gateway } from '#src/index.ts';

const id = 'one';

/** Every method of the client that calls an operation, by the operation's name. */
export const everyMethod: Readonly<Record<string, (client: Gateway) => PromiseLike<unknown>>> = {
  createDeposit: ({ deposits }) => deposits.create({ amount_cents: 1, external_id: 'a' }),
  getDeposit: ({ deposits }) => deposits.get(id),
  listDeposits: ({ deposits }) => deposits.list(),
  cancelDeposit: ({ deposits }) => deposits.cancel(id),
  getDepositQrSvg: ({ deposits }) => deposits.qrSvg(id),
  getDepositQrPng: ({ deposits }) => deposits.qrPng(id),
  createRefund: ({ deposits }) => deposits.refunds.create(id, { external_id: 'a' }),
  listDepositRefunds: ({ deposits }) => deposits.refunds.list(id),
  getRefund: ({ refunds }) => refunds.get(id),
  listRefunds: ({ refunds }) => refunds.list(),
  createPayout: ({ payouts }) =>
    payouts.create({
      ...{ amount_cents: 1, external_id: 'a', pix_key: 'a@example.com', pix_key_type: 'email' },
      recipient: { name: 'Maria', document: '52998224725' },
    }),
  getPayout: ({ payouts }) => payouts.get(id),
  listPayouts: ({ payouts }) => payouts.list(),
  cancelPayout: ({ payouts }) => payouts.cancel(id),
  getBalance: ({ balance }) => balance.get(),
  getPendingBalance: ({ balance }) => balance.pending(),
  listTransactions: ({ transactions }) => transactions.list(),
  getTransactionReceipt: ({ transactions }) => transactions.receipt(id),
  getProofConsistency: ({ proof }) => proof.consistency({ from: 1 }),
  listProofKeys: ({ proof }) => proof.keys(),
  getAdjustment: ({ adjustments }) => adjustments.get(id),
  createExport: ({ exports }) =>
    exports.create({
      ...{ kind: 'statement', format: 'csv', currency: 'BRL', from: '2026-01-01', to: '2026-01-31', external_id: 'a' },
    }),
  getExport: ({ exports }) => exports.get(id),
  listExports: ({ exports }) => exports.list(),
  getDispute: ({ disputes }) => disputes.get(id),
  listDisputes: ({ disputes }) => disputes.list(),
  submitDisputeEvidence: ({ disputes }) => disputes.submitEvidence(id, { text: 'sent' }),
  createQuote: ({ quotes }) => quotes.create({ from: 'BRL', to: 'USDT', amount: 1 }),
  getQuote: ({ quotes }) => quotes.get(id),
  createConversion: ({ conversions }) => conversions.create({ quote_id: id, external_id: 'a' }),
  getConversion: ({ conversions }) => conversions.get(id),
  listConversions: ({ conversions }) => conversions.list(),
  createWebhook: ({ webhooks }) => webhooks.create({ name: 'a', url: 'https://shop.example' }),
  getWebhook: ({ webhooks }) => webhooks.get(id),
  listWebhooks: ({ webhooks }) => webhooks.list(),
  updateWebhook: ({ webhooks }) => webhooks.update(id, { status: 'paused' }),
  deleteWebhook: ({ webhooks }) => webhooks.delete(id),
  rotateWebhookSecret: ({ webhooks }) => webhooks.rotateSecret(id),
  testWebhook: ({ webhooks }) => webhooks.test(id),
  recoverWebhookDeliveries: ({ webhooks }) => webhooks.recover(id, { since: 1 }),
  listWebhookDeliveries: ({ webhooks }) => webhooks.deliveries.list(id),
  getWebhookDelivery: ({ webhooks }) => webhooks.deliveries.get(id, 'two'),
  redeliverWebhookDelivery: ({ webhooks }) => webhooks.deliveries.redeliver(id, 'two'),
  listDeliveries: ({ deliveries }) => deliveries.list(),
  getDelivery: ({ deliveries }) => deliveries.get(id),
  redeliverDelivery: ({ deliveries }) => deliveries.redeliver(id),
  listEvents: ({ events }) => events.list(),
  getEvent: ({ events }) => events.get(id),
  listEventDeliveries: ({ events }) => events.deliveries(id),
  // What is answered there is no stream of events.
  streamEvents: ({ events }) =>
    events
      .stream()
      .next()
      .catch(() => undefined),
  getAccount: ({ account }) => account.get(),
  createCallbackSecret: ({ account }) => account.createCallbackSecret(),
  getBranding: ({ account }) => account.branding(),
  replaceBranding: ({ account }) => account.replaceBranding({}),
  getIpAllowlist: ({ ipAllowlist }) => ipAllowlist.get(),
  replaceIpAllowlist: ({ ipAllowlist }) => ipAllowlist.replace({ entries: [] }),
  simulateDepositPayment: ({ test }) => test.deposits.pay(id),
  simulateDepositExpiry: ({ test }) => test.deposits.expire(id),
  simulateDispute: ({ test }) => test.deposits.dispute(id),
  simulateDisputeResult: ({ test }) => test.disputes.resolve(id, { result: 'won' }),
  simulatePayoutResult: ({ test }) => test.payouts.settle(id, { result: 'paid' }),
  simulatePayoutApproval: ({ test }) => test.payouts.approve(id),
  simulateWebhookFailure: ({ test }) => test.webhooks.fail(id, { result: 'failing' }),
  releaseTestBalance: ({ test }) => test.balance.release(),
};
