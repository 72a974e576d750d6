const accountId = 'acc_01k9z3m4v6t8x0a2c4e6g8jk01';
const settings = { fees: { deposit: { fixed_cents: 10, bps: 99 } }, retention_days: 0 };
const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };

/** A body for each operation that takes one, as the API description shows it. Each fits its schema; a test holds that. */
export const requestExamples: Readonly<Record<string, unknown>> = {
  'POST /v1/deposits': {
    amount_cents: 1_500,
    external_id: 'order-1001',
    payer: { name: 'Maria da Silva', document: '529.982.247-25' },
    metadata: { cart: '7' },
  },
  'POST /v1/deposits/{id}/refunds': { amount_cents: 500, external_id: 'refund-1001', reason: 'returned goods' },
  'POST /v1/disputes/{id}/evidence': { text: 'Delivered on 12 May, signed for by the payer.' },
  'POST /v1/payouts': {
    ...{ amount_cents: 1_200, external_id: 'payout-1001', pix_key: 'maria@example.com', pix_key_type: 'email' },
    recipient,
  },
  'POST /v1/quotes': { from: 'BRL', to: 'USDT', amount: 100_000 },
  'POST /v1/conversions': { from: 'BRL', to: 'USDT', amount: 100_000, external_id: 'conversion-1001' },
  'POST /v1/webhooks': { name: 'shop', url: 'https://shop.example/hooks', events: ['deposit.paid'] },
  'PATCH /v1/webhooks/{id}': { status: 'paused' },
  'POST /v1/webhooks/{id}/rotate-secret': { overlap_sec: 3_600 },
  'POST /v1/webhooks/{id}/recover': { since: 1_767_225_600 },
  'PUT /v1/ip-allowlist': { entries: ['203.0.113.7', '2001:db8::/32'] },
  'POST /v1/test/deposits/{id}/pay': {},
  'POST /v1/test/deposits/{id}/dispute': { amount_cents: 500 },
  'POST /v1/test/disputes/{id}/resolve': { result: 'won' },
  'POST /v1/test/payouts/{id}/settle': { result: 'paid' },
  'POST /ops/accounts': { name: 'Loja Um', ...settings },
  'PATCH /ops/accounts/{id}': { auto_approve_payouts: false },
  'POST /ops/accounts/{id}/keys': { environment: 'test', name: 'till' },
  'POST /ops/approvals/{id}/approve': { reason: 'seen on the statement of 2 January' },
  'POST /ops/approvals/{id}/reject': { reason: 'the merchant asked for another' },
  'POST /ops/payouts/{id}/refuse': { reason: 'the recipient is on a list' },
  'POST /ops/payouts/{id}/resolve': { outcome: 'paid', evidence: 'Statement of the provider, line 17.' },
  'POST /ops/refunds/{id}/resolve': {
    ...{ outcome: 'done', evidence: 'Statement of the provider, line 17.' },
    return_id: 'D12345678202601051004abcdef12345',
  },
  'PATCH /ops/providers/{id}': { enabled: false },
  'POST /ops/compat/integrations': { account_id: accountId, prefix: 'alt', ip_allowlist: ['203.0.113.7'] },
  'POST /ops/adjustments': {
    ...{ account_id: accountId, environment: 'test', currency: 'BRL', amount_cents: -250 },
    ...{ reason: 'a charge was credited twice', external_id: 'case-77' },
  },
};
