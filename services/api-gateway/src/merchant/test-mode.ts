import { simulateDispute, simulateDisputeResult, simulateExpiry, simulatePayment } from '@gateway/contracts/deposits';
import { releasePendingDeposits } from '@gateway/contracts/ledger';
import { settlePayout, simulatePayoutApproval } from '@gateway/contracts/payouts';
import { simulateWebhookFailure } from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import {
  amountRequests,
  presenters,
  presentWebhook,
  resolveDisputeRequestSchema,
  settlePayoutRequests,
  shownSchemas,
  webhookFailureRequestSchema,
  webhookResourceSchema,
  wrapped,
} from '@gateway/public-api';
import { idIn, type MerchantCall, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

/** The answer waits for the ledger, so that a reader of PAID finds the balance. */
const ledgerTimeoutMs = 10_000;

/** What the API description says of each of them. */
const testModeNotes = { group: 'test mode' } as const;

/** Operations below /v1/test, for test keys alone (spec 5.4). */
export const testModeEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/deposits/:id/pay',
    operation: 'simulateDepositPayment',
    summary: 'Pay a test deposit as its payer would',
    description:
      'Pays a deposit as its payer would. The answer is the deposit, already PAID and credited, and ' +
      '`deposit.paid` follows. Without a body the whole amount is paid; another amount is possible on SPEI ' +
      'alone. A deposit that is EXPIRED can be paid late. A repetition changes nothing.',
    refusals: ['TEST_ONLY', 'INVALID_STATE'],
    bodyOptional: true,
    ...testModeNotes,
    timeoutMs: ledgerTimeoutMs,
    body: amountRequests,
    example: {},
    answers: { 200: shownSchemas.deposit },
    leadsTo: { simulateDispute: '/id', createRefund: '/id' },
    handle: async (call, { bus }) => {
      const amount = call.body.value?.amount_cents ?? null;
      const request = { ...testOwnerOf(call), id: idIn(call, 'deposit'), amount };
      const { deposit } = await callRpc(bus, simulatePayment, request);
      return { status: 200, body: presenters[call.apiVersion].deposit(deposit) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/deposits/:id/expire',
    operation: 'simulateDepositExpiry',
    summary: 'Expire a test deposit',
    description: 'Lets the time of a PENDING deposit run out now; `deposit.expired` follows.',
    refusals: ['TEST_ONLY', 'INVALID_STATE'],
    ...testModeNotes,
    answers: { 200: shownSchemas.deposit },
    handle: async (call, { bus }) => {
      const request = { ...testOwnerOf(call), id: idIn(call, 'deposit') };
      const { deposit } = await callRpc(bus, simulateExpiry, request);
      return { status: 200, body: presenters[call.apiVersion].deposit(deposit) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/deposits/:id/dispute',
    operation: 'simulateDispute',
    summary: 'Dispute a test deposit as its payer would',
    description:
      'Opens a dispute about a paid deposit as the bank of its payer would, for the whole amount or a part; the ' +
      'amount is blocked and `med.opened` follows.',
    refusals: ['TEST_ONLY', 'INVALID_STATE'],
    bodyOptional: true,
    ...testModeNotes,
    timeoutMs: ledgerTimeoutMs,
    body: amountRequests,
    example: { amount_cents: 500 },
    answers: { 200: shownSchemas.dispute },
    leadsTo: { getDispute: '/id', submitDisputeEvidence: '/id', simulateDisputeResult: '/id' },
    handle: async (call, { bus }) => {
      const amount = call.body.value?.amount_cents ?? null;
      const request = { ...testOwnerOf(call), depositId: idIn(call, 'deposit'), amount };
      const { dispute } = await callRpc(bus, simulateDispute, request);
      return { status: 200, body: presenters[call.apiVersion].dispute(dispute, call.language) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/disputes/:id/resolve',
    operation: 'simulateDisputeResult',
    summary: 'Decide a test dispute',
    description:
      'Decides a dispute for the merchant (`won`: the amount is available again) or for the payer (`lost`: it ' +
      'leaves the balance); `med.won` or `med.lost` follows.',
    refusals: ['TEST_ONLY', 'INVALID_STATE'],
    ...testModeNotes,
    timeoutMs: ledgerTimeoutMs,
    body: resolveDisputeRequestSchema,
    example: { result: 'won' },
    answers: { 200: shownSchemas.dispute },
    handle: async (call, { bus }) => {
      const request = { ...testOwnerOf(call), id: idIn(call, 'dispute'), result: call.body.result };
      const { dispute } = await callRpc(bus, simulateDisputeResult, request);
      return { status: 200, body: presenters[call.apiVersion].dispute(dispute, call.language) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/balance/release',
    operation: 'releaseTestBalance',
    summary: 'Release everything pending in test mode now',
    description:
      'Makes everything that is pending available now, as the days of retention would, and answers with the ' +
      'balance.',
    ...testModeNotes,
    refusals: ['TEST_ONLY'],
    timeoutMs: ledgerTimeoutMs,
    answers: { 200: shownSchemas.balance },
    handle: async (call, { bus }) => {
      const request = testOwnerOf(call);
      const { balances } = await callRpc(bus, releasePendingDeposits, request);
      return { status: 200, body: presenters[call.apiVersion].balance(balances) };
    },
  }),
];

/** The listener admits only test keys below /v1/test. */
function testOwnerOf(call: MerchantCall) {
  return { ...ownerOf(call), environment: 'test' as const };
}

/** The answer waits for the ledger, so that a reader of the status finds the balance. */
const settleTimeoutMs = 10_000;

export const testPayoutEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/payouts/:id/settle',
    operation: 'simulatePayoutResult',
    summary: 'Settle, fail or return a test payout as the rail would',
    description:
      'Ends a payout as the rail would: `paid`, `failed`, or `returned` by the receiving bank, of which an ' +
      'amount may be a part. Use it for payouts to `hold@sandbox.test`, which stay PROCESSING; all others settle ' +
      'by themselves.',
    refusals: ['TEST_ONLY', 'INVALID_STATE'],
    ...testModeNotes,
    timeoutMs: settleTimeoutMs,
    body: settlePayoutRequests,
    example: { result: 'paid' },
    answers: { 200: wrapped({ payout: shownSchemas.payout }) },
    handle: async (call, { bus }) => {
      const { result, amount_cents } = call.body.value;
      const amount = amount_cents ?? undefined;
      const request = { ...ownerOf(call), environment: 'test' as const, id: idIn(call, 'payout'), result, amount };
      const { payout } = await callRpc(bus, settlePayout, request);
      return { status: 200, body: { payout: presenters[call.apiVersion].payout(payout, call.language) } };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/payouts/:id/approve',
    operation: 'simulatePayoutApproval',
    summary: 'Approve a test payout as an operator would',
    description:
      'Approves a payout that waits for it, as one to `approve@sandbox.test` does, and sends it; `payout.processing` ' +
      'and `payout.paid` follow. One that was approved before is answered as it is.',
    refusals: ['TEST_ONLY', 'INVALID_STATE'],
    ...testModeNotes,
    timeoutMs: settleTimeoutMs,
    answers: { 200: wrapped({ payout: shownSchemas.payout }) },
    handle: async (call, { bus }) => {
      const { payout } = await callRpc(bus, simulatePayoutApproval, { ...testOwnerOf(call), id: idIn(call, 'payout') });
      return { status: 200, body: { payout: presenters[call.apiVersion].payout(payout, call.language) } };
    },
  }),
];

export const testWebhookEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/webhooks/:id/fail',
    operation: 'simulateWebhookFailure',
    summary: 'Let a test webhook fail as hours of failing calls would',
    description:
      'Warns the owner of an enabled webhook as after an hour of failing calls (`webhook.failing`), or disables it as ' +
      'after 72 (`webhook.disabled`); other webhooks of the account and the event log hear of it.',
    refusals: ['TEST_ONLY', 'INVALID_STATE'],
    ...testModeNotes,
    body: webhookFailureRequestSchema,
    example: { result: 'failing' },
    answers: { 200: webhookResourceSchema },
    handle: async (call, { bus }) => {
      const request = { ...testOwnerOf(call), id: idIn(call, 'webhook'), result: call.body.result };
      const { webhook } = await callRpc(bus, simulateWebhookFailure, request);
      return { status: 200, body: presentWebhook(webhook) };
    },
  }),
];
