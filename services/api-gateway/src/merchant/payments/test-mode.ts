import { simulateDispute, simulateDisputeResult, simulateExpiry, simulatePayment } from '@gateway/contracts/deposits';
import { releasePendingDeposits } from '@gateway/contracts/ledger';
import { amountRequests, presenters, resolveDisputeRequestSchema, shownSchemas } from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { idIn, merchantEndpoint, ownerOf, type MerchantCall } from '#src/merchant/merchant-endpoint.ts';

/** The answer waits for the ledger, so that whoever reads PAID finds the balance. */
const ledgerTimeoutMs = 10_000;

/** Operations below /v1/test, for test keys alone (spec 5.4). */
export const testModeEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/deposits/:id/pay',
    summary: 'Pay a test deposit as its payer would',
    timeoutMs: ledgerTimeoutMs,
    body: amountRequests,
    answers: { 200: shownSchemas.deposit },
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
    summary: 'Let the time of a test deposit be up',
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
    summary: 'Contest a test deposit as its payer would',
    timeoutMs: ledgerTimeoutMs,
    body: amountRequests,
    answers: { 200: shownSchemas.dispute },
    handle: async (call, { bus }) => {
      const amount = call.body.value?.amount_cents ?? null;
      const request = { ...testOwnerOf(call), depositId: idIn(call, 'deposit'), amount };
      const { dispute } = await callRpc(bus, simulateDispute, request);
      return { status: 200, body: presenters[call.apiVersion].dispute(dispute) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/disputes/:id/resolve',
    summary: 'Decide a test dispute',
    timeoutMs: ledgerTimeoutMs,
    body: resolveDisputeRequestSchema,
    answers: { 200: shownSchemas.dispute },
    handle: async (call, { bus }) => {
      const request = { ...testOwnerOf(call), id: idIn(call, 'dispute'), result: call.body.result };
      const { dispute } = await callRpc(bus, simulateDisputeResult, request);
      return { status: 200, body: presenters[call.apiVersion].dispute(dispute) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/balance/release',
    summary: 'Release everything pending in test mode now',
    timeoutMs: ledgerTimeoutMs,
    answers: { 200: shownSchemas.balance },
    handle: async (call, { bus }) => {
      const request = testOwnerOf(call);
      const { balances } = await callRpc(bus, releasePendingDeposits, request);
      return { status: 200, body: presenters[call.apiVersion].balance(balances) };
    },
  }),
];

/** The door lets only test keys in below /v1/test. */
function testOwnerOf(call: MerchantCall) {
  return { ...ownerOf(call), environment: 'test' as const };
}
