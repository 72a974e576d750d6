import { z } from 'zod';
import { simulateDispute, simulateDisputeResult, simulateExpiry, simulatePayment } from '@gateway/contracts/deposits';
import { ValidationError } from '@gateway/contracts/errors';
import { releasePendingDeposits } from '@gateway/contracts/ledger';
import { settlePayout } from '@gateway/contracts/payouts';
import { callRpc } from '@gateway/messaging';
import {
  amountRequests,
  presenters,
  resolveDisputeRequestSchema,
  settlePayoutRequests,
  shownSchemas,
} from '@gateway/public-api';
import { idIn, type MerchantCall, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

/** The answer waits for the ledger, so that a reader of PAID finds the balance. */
const ledgerTimeoutMs = 10_000;

/** What the API description says of each of them. */
const testModeNotes = { group: 'test mode', refusals: ['TEST_ONLY'] } as const;

/** Operations below /v1/test, for test keys alone (spec 5.4). */
export const testModeEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/deposits/:id/pay',
    summary: 'Pay a test deposit as its payer would',
    ...testModeNotes,
    timeoutMs: ledgerTimeoutMs,
    body: amountRequests,
    example: {},
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
    summary: 'Expire a test deposit',
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
    summary: 'Dispute a test deposit as its payer would',
    ...testModeNotes,
    timeoutMs: ledgerTimeoutMs,
    body: amountRequests,
    example: { amount_cents: 500 },
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
    ...testModeNotes,
    timeoutMs: ledgerTimeoutMs,
    body: resolveDisputeRequestSchema,
    example: { result: 'won' },
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
    ...testModeNotes,
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
    summary: 'Settle, fail or return a test payout as the rail would',
    ...testModeNotes,
    timeoutMs: settleTimeoutMs,
    body: settlePayoutRequests,
    example: { result: 'paid' },
    answers: { 200: z.object({ payout: shownSchemas.payout }) },
    handle: async (call, { bus }) => {
      const { result, amount_cents } = call.body.value;
      const amount = amount_cents ?? undefined;
      if (amount !== undefined && result !== 'returned') {
        throw new ValidationError([{ path: 'amount_cents', message: 'is for a return only' }]);
      }
      const request = { ...ownerOf(call), environment: 'test' as const, id: idIn(call, 'payout'), result, amount };
      const { payout } = await callRpc(bus, settlePayout, request);
      return { status: 200, body: { payout: presenters[call.apiVersion].payout(payout, call.language) } };
    },
  }),
];
