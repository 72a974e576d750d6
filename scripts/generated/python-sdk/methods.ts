/** What reads the record of a call whose repetition was refused, and the states in which its first attempt has succeeded. */
interface Recovery {
  readonly read: string;
  /** As Python writes them. */
  readonly states: string;
}

/** Where the Python SDK has an operation. */
export interface Method {
  /** `deposits.create`, or `deposits.refunds.create`. */
  readonly at: string;
  /** Names of the ids of its path. */
  readonly ids?: readonly string[];
  /** The member of the answer that holds the record. */
  readonly unwrap?: string;
  /** Ids of the path that a used `external_id` has to agree with. */
  readonly compared?: readonly string[];
  readonly recovery?: Recovery | 'gone';
  /** With an amount a second call does more than the first: it is not sent again then. */
  readonly onceWithAmount?: true;
  /** What the answer is read as, when it is no JSON; with the form that is asked for. */
  readonly as?: readonly ['text' | 'bytes', string];
  /** The record of a list whose pages have several forms. */
  readonly item?: string;
  /** It answers with a stream of records of this name. */
  readonly streams?: string;
  /** It answers with a page, under another name than `list`. */
  readonly hasPages?: true;
  /** What a caller has to know beside the summary of the operation. */
  readonly note?: string;
}

/** Every operation has one line: a new one is named here, after which `npm run generate` writes its methods. */
const methods: Readonly<Record<string, Method>> = {
  createDeposit: {
    at: 'deposits.create',
    note: '`external_id` is yours: the same one again answers with the same deposit.',
  },
  getDeposit: { at: 'deposits.get', ids: ['deposit_id'] },
  listDeposits: { at: 'deposits.list' },
  cancelDeposit: {
    at: 'deposits.cancel',
    ids: ['deposit_id'],
    recovery: { read: 'getDeposit', states: '("FAILED",)' },
    note: 'Only while it is PENDING.',
  },
  getDepositQrSvg: { at: 'deposits.qr_svg', ids: ['deposit_id'], as: ['text', 'image/svg+xml'] },
  getDepositQrPng: { at: 'deposits.qr_png', ids: ['deposit_id'], as: ['bytes', 'image/png'] },
  createRefund: {
    at: 'deposits.refunds.create',
    ids: ['deposit_id'],
    unwrap: 'refund',
    compared: ['deposit_id'],
    note: 'Without an amount: what is left of it.',
  },
  listDepositRefunds: { at: 'deposits.refunds.list', ids: ['deposit_id'] },
  getRefund: { at: 'refunds.get', ids: ['refund_id'] },
  listRefunds: { at: 'refunds.list' },
  createPayout: {
    at: 'payouts.create',
    unwrap: 'payout',
    note:
      'Once per `external_id`: keep it before you call, and send the same one again whatever went wrong. Raises ' +
      'ProviderTimeoutError when the outcome is not known yet (read the payout of `payout_id`; never send another), and ' +
      'InsufficientFundsError when the balance does not cover it, after which nothing was created.',
  },
  getPayout: { at: 'payouts.get', ids: ['payout_id'], unwrap: 'payout' },
  listPayouts: { at: 'payouts.list' },
  cancelPayout: {
    at: 'payouts.cancel',
    ids: ['payout_id'],
    unwrap: 'payout',
    recovery: { read: 'getPayout', states: '("REJECTED",)' },
    note: 'Only while it is PENDING.',
  },
  getBalance: { at: 'balance.get', note: 'Now, or with `at` as it stood then.' },
  getPendingBalance: { at: 'balance.pending' },
  getTotals: { at: 'totals.get' },
  listTransactions: { at: 'transactions.list', item: 'LedgerEntry' },
  getTransactionReceipt: {
    at: 'transactions.receipt',
    ids: ['transaction_id'],
    as: ['text', 'text/plain, application/json'],
    note: 'As text; JSON with the time it will be there while it is not.',
  },
  getProofConsistency: { at: 'proof.consistency', as: ['text', 'text/plain'] },
  listProofKeys: { at: 'proof.keys' },
  getAdjustment: { at: 'adjustments.get', ids: ['adjustment_id'] },
  createExport: { at: 'exports.create' },
  getExport: { at: 'exports.get', ids: ['export_id'] },
  listExports: { at: 'exports.list' },
  getDispute: { at: 'disputes.get', ids: ['dispute_id'] },
  listDisputes: { at: 'disputes.list' },
  submitDisputeEvidence: {
    at: 'disputes.submit_evidence',
    ids: ['dispute_id'],
    note: 'Not repeated when its outcome is unknown: read the dispute, which shows its evidence.',
  },
  createFile: {
    at: 'files.create',
    note: 'Give its `id` and `sha256` to `disputes.submit_evidence`. Not repeated when its outcome is unknown.',
  },
  getFile: { at: 'files.get', ids: ['file_id'] },
  getFileContent: { at: 'files.content', ids: ['file_id'], as: ['bytes', '*/*'] },
  createQuote: { at: 'quotes.create' },
  getQuote: { at: 'quotes.get', ids: ['quote_id'] },
  createConversion: {
    at: 'conversions.create',
    unwrap: 'conversion',
    note: 'By a quote, or at the rate of now. Once per `external_id`.',
  },
  getConversion: { at: 'conversions.get', ids: ['conversion_id'], unwrap: 'conversion' },
  listConversions: { at: 'conversions.list' },
  createWebhook: {
    at: 'webhooks.create',
    note: 'The answer alone has the `secret`: keep it. Not repeated when its outcome is unknown.',
  },
  getWebhook: { at: 'webhooks.get', ids: ['webhook_id'] },
  listWebhooks: { at: 'webhooks.list' },
  updateWebhook: { at: 'webhooks.update', ids: ['webhook_id'] },
  deleteWebhook: { at: 'webhooks.delete', ids: ['webhook_id'], recovery: 'gone' },
  rotateWebhookSecret: {
    at: 'webhooks.rotate_secret',
    ids: ['webhook_id'],
    note: 'Until the overlap ends, deliveries are signed with both. Not repeated when its outcome is unknown.',
  },
  testWebhook: { at: 'webhooks.test', ids: ['webhook_id'] },
  recoverWebhookDeliveries: { at: 'webhooks.recover', ids: ['webhook_id'] },
  replayWebhookEvents: { at: 'webhooks.replay', ids: ['webhook_id'] },
  listWebhookDeliveries: { at: 'webhooks.deliveries.list', ids: ['webhook_id'] },
  getWebhookDelivery: { at: 'webhooks.deliveries.get', ids: ['webhook_id', 'delivery_id'] },
  redeliverWebhookDelivery: { at: 'webhooks.deliveries.redeliver', ids: ['webhook_id', 'delivery_id'] },
  listDeliveries: { at: 'deliveries.list' },
  getDelivery: { at: 'deliveries.get', ids: ['delivery_id'] },
  redeliverDelivery: { at: 'deliveries.redeliver', ids: ['delivery_id'] },
  listRequests: { at: 'requests.list' },
  getRequest: {
    at: 'requests.get',
    ids: ['request_id'],
    note: 'By its id in the log, or by its `X-Request-Id`: that of an error is its `request_id`.',
  },
  listEvents: {
    at: 'events.list',
    note: 'With `order="asc"` and the id of the last event as `cursor`, each event is seen exactly once.',
  },
  getEvent: { at: 'events.get', ids: ['event_id'] },
  listEventDeliveries: { at: 'events.deliveries', ids: ['event_id'], hasPages: true },
  deliverEvent: { at: 'events.deliver', ids: ['event_id'] },
  streamEvents: {
    at: 'events.stream',
    streams: 'Event',
    note:
      'A connection that is lost is opened again after the last event, so that each is seen exactly once; keep the id of ' +
      'the last one to go on with `after` when your program is started again. Raises ApiError for a refusal that will not ' +
      'pass: 400 when the event to go on after is no longer kept. Break out of it within `contextlib.aclosing`, which ' +
      'ends its connection.',
  },
  getAccount: { at: 'account.get' },
  createCallbackSecret: { at: 'account.create_callback_secret' },
  getBranding: { at: 'account.branding' },
  replaceBranding: { at: 'account.replace_branding' },
  getIpAllowlist: { at: 'ip_allowlist.get' },
  replaceIpAllowlist: {
    at: 'ip_allowlist.replace',
    note: 'Raises IpAllowlistExcludesCallerError when it leaves out the address of the call; nothing changes then.',
  },
  simulateDepositPayment: {
    at: 'test.deposits.pay',
    ids: ['deposit_id'],
    recovery: { read: 'getDeposit', states: '("PAID", "REFUNDED")' },
    onceWithAmount: true,
    note:
      'It is PAID, and its money in the balance, when this answers. With an amount it is not repeated when its outcome is ' +
      'unknown: a second one is a second transfer.',
  },
  simulateDepositExpiry: {
    at: 'test.deposits.expire',
    ids: ['deposit_id'],
    recovery: { read: 'getDeposit', states: '("EXPIRED",)' },
  },
  simulateDispute: { at: 'test.deposits.dispute', ids: ['deposit_id'] },
  simulateDisputeResult: {
    at: 'test.disputes.resolve',
    ids: ['dispute_id'],
    recovery: { read: 'getDispute', states: '(result.upper(),)' },
  },
  simulatePayoutResult: {
    at: 'test.payouts.settle',
    ids: ['payout_id'],
    unwrap: 'payout',
    note: 'Not repeated when its outcome is unknown: a second `returned` is a second return.',
  },
  simulatePayoutApproval: { at: 'test.payouts.approve', ids: ['payout_id'], unwrap: 'payout' },
  simulateWebhookFailure: { at: 'test.webhooks.fail', ids: ['webhook_id'] },
  releaseTestBalance: { at: 'test.balance.release', note: 'What is pending is available when this answers.' },
};

/** The classes of the client's attributes, and what they are for. Those that others hold come before them. */
export const resources: Readonly<Record<string, readonly [name: string, purpose: string]>> = {
  'deposits.refunds': ['DepositRefunds', 'Refunds of a deposit, in parts or whole.'],
  deposits: ['Deposits', 'Deposits: money that comes in.'],
  refunds: ['Refunds', 'Refunds of every deposit.'],
  payouts: ['Payouts', 'Payouts: money that goes out.'],
  balance: ['Balances', 'What an account has.'],
  transactions: ['Transactions', 'The entries of the ledger: every movement of the available balance.'],
  totals: ['TotalsOfEvents', 'How many payments there were, and what they add up to.'],
  adjustments: ['Adjustments', 'Corrections of the balance by the operators.'],
  exports: ['Exports', 'Files of a period, made in the background.'],
  proof: ['Proof', 'What proves that the ledger was not changed afterwards.'],
  disputes: ['Disputes', 'Payments that their payer’s bank wants back (MED).'],
  files: ['Files', 'Files that evidence against disputes names.'],
  quotes: ['Quotes', 'Rates that hold for seconds.'],
  conversions: ['Conversions', 'Money of one currency that becomes money of another.'],
  'webhooks.deliveries': ['WebhookDeliveries', 'What was delivered to a webhook, attempt by attempt.'],
  webhooks: ['Webhooks', 'Where events are delivered to.'],
  deliveries: ['Deliveries', 'Deliveries to every webhook, and to the callback URLs of deposits.'],
  events: ['Events', 'What happened to the records of the account, whether or not a webhook received it.'],
  requests: ['Requests', 'What the keys of the account asked and were answered.'],
  account: ['AccountOfKey', 'The account of the key.'],
  ip_allowlist: ['IpAllowlists', 'The addresses that the key may be used from.'],
  'test.deposits': ['TestDeposits', 'Deposits in test mode.'],
  'test.disputes': ['TestDisputes', 'Disputes in test mode.'],
  'test.payouts': ['TestPayouts', 'Payouts in test mode.'],
  'test.webhooks': ['TestWebhooks', 'Webhooks in test mode.'],
  'test.balance': ['TestBalance', 'The balance in test mode.'],
  test: [
    'TestMode',
    'What happens to payments in the world, made to happen. With a live key every method raises before it sends anything.',
  ],
};

/** @throws Error for an operation that the SDK has no method for */
export function methodOf(id: string): Method {
  const method = methods[id];
  if (method === undefined)
    throw new Error(`scripts/generated/python-sdk/methods.ts names no method for ${id}: sdks/python needs one`);
  return method;
}

/** @throws Error for a method whose operation is gone */
export function refuseSurplus(ids: ReadonlySet<string>): void {
  const surplus = Object.keys(methods).filter((id) => !ids.has(id));
  if (surplus.length > 0)
    throw new Error(`scripts/generated/python-sdk/methods.ts names what is no operation: ${surplus.join(', ')}`);
}

/** Whether a method answers with pages. */
export function isListed({ at, hasPages }: Method): boolean {
  return hasPages === true || at.endsWith('.list');
}
