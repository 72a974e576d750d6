import { z } from 'zod';
import { createRefund, getRefund, listAccountRefunds, listRefunds } from '@gateway/contracts/deposits';
import {
  accountRefundsQuerySchema,
  pageOf,
  presenters,
  refundRequests,
  refundsQuerySchema,
  shownSchemas,
} from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

/** The provider's own deadline ends well before it; a refund that takes longer is answered PROCESSING. */
const createTimeoutMs = 20_000;

const wrappedRefundSchema = z.object({ refund: shownSchemas.refund });

export const refundEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/deposits/:id/refunds',
    summary: 'Refund a paid deposit, wholly or in part',
    timeoutMs: createTimeoutMs,
    body: refundRequests,
    example: { amount_cents: 500, external_id: 'refund-1001', reason: 'returned goods' },
    answers: { 201: wrappedRefundSchema, 200: wrappedRefundSchema },
    handle: async (call, { bus }) => {
      const { amount_cents: amount, external_id: externalId, reason } = call.body.value;
      const request = {
        ...ownerOf(call),
        depositId: idIn(call, 'deposit'),
        externalId,
        amount: amount ?? null,
        reason: reason ?? null,
      };
      const { created, refund } = await callRpc(bus, createRefund, request);
      return {
        status: created ? 201 : 200,
        body: { refund: presenters[call.apiVersion].refund(refund, call.language) },
      };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/deposits/:id/refunds',
    summary: "List a deposit's refunds, newest first",
    query: refundsQuerySchema,
    answers: { 200: pageOf(shownSchemas.refund) },
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), ...call.query, depositId: idIn(call, 'deposit') };
      const { refunds, nextCursor } = await callRpc(bus, listRefunds, request);
      const present = presenters[call.apiVersion].refund;
      const data = refunds.map((refund) => present(refund, call.language));
      return { status: 200, body: { data, next_cursor: nextCursor } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/refunds',
    summary: 'List refunds, newest first',
    query: accountRefundsQuerySchema,
    answers: { 200: pageOf(shownSchemas.refund) },
    handle: async (call, { bus }) => {
      const { deposit_id: depositId, ...query } = call.query;
      const { refunds, nextCursor } = await callRpc(bus, listAccountRefunds, { ...ownerOf(call), ...query, depositId });
      const present = presenters[call.apiVersion].refund;
      const data = refunds.map((refund) => present(refund, call.language));
      return { status: 200, body: { data, next_cursor: nextCursor } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/refunds/:id',
    summary: 'Read a refund',
    answers: { 200: shownSchemas.refund },
    handle: async (call, { bus }) => {
      const { refund } = await callRpc(bus, getRefund, { ...ownerOf(call), id: idIn(call, 'refund') });
      return { status: 200, body: presenters[call.apiVersion].refund(refund, call.language) };
    },
  }),
];
