import { z } from 'zod';
import { cancelPayout, getPayout, listPayouts } from '@gateway/contracts/payouts';
import {
  pageOf,
  payoutRequests,
  payoutsQuerySchema,
  presenters,
  readPayoutOf,
  shownSchemas,
} from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { createPayoutSurely } from '#src/merchant-api/create-payout-surely.ts';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant-api/merchant-endpoint.ts';

/** The provider's own deadline ends well before it, so that a slow provider is told as PROVIDER_TIMEOUT, with the id. */
const createTimeoutMs = 20_000;
/** For the payouts service to say what has become of a call it did not answer. */
const abandonTimeoutMs = 5_000;

/** The answer waits for the ledger, so that whoever reads REJECTED finds the balance. */
const cancelTimeoutMs = 10_000;

const wrappedPayoutSchema = z.object({ payout: shownSchemas.payout });

export const payoutEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/payouts',
    summary: 'Create a payout',
    body: payoutRequests,
    timeoutMs: createTimeoutMs + abandonTimeoutMs,
    answers: { 201: wrappedPayoutSchema, 200: wrappedPayoutSchema },
    handle: async ({ caller, body, apiVersion }, { bus }) => {
      const request = readPayoutOf(body, caller, apiVersion);
      const { created, payout } = await createPayoutSurely(bus, request, { timeoutMs: createTimeoutMs });
      return { status: created ? 201 : 200, body: { payout: presenters[apiVersion].payout(payout) } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/payouts/:id',
    summary: 'Read a payout',
    answers: { 200: wrappedPayoutSchema },
    handle: async (call, { bus }) => {
      const { payout } = await callRpc(bus, getPayout, { ...ownerOf(call), id: idIn(call, 'payout') });
      return { status: 200, body: { payout: presenters[call.apiVersion].payout(payout) } };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/payouts/:id/cancel',
    summary: 'Cancel a payout that waits for approval; amount and fee go back',
    timeoutMs: cancelTimeoutMs,
    answers: { 200: wrappedPayoutSchema },
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), id: idIn(call, 'payout') };
      const { payout } = await callRpc(bus, cancelPayout, request);
      return { status: 200, body: { payout: presenters[call.apiVersion].payout(payout) } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/payouts',
    summary: 'List payouts, newest first',
    query: payoutsQuerySchema,
    answers: { 200: pageOf(shownSchemas.payout) },
    handle: async (call, { bus }) => {
      const { external_id: externalId, ...query } = call.query;
      const { payouts, nextCursor } = await callRpc(bus, listPayouts, { ...ownerOf(call), ...query, externalId });
      return { status: 200, body: { data: payouts.map(presenters[call.apiVersion].payout), next_cursor: nextCursor } };
    },
  }),
];
