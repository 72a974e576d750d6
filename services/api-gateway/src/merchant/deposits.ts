import { cancelDeposit, createDeposit, getDeposit, listDeposits } from '@gateway/contracts/deposits';
import { checkTargetUrl } from '@gateway/contracts/webhooks';
import {
  depositRequests,
  depositsQuerySchema,
  pageOf,
  presenters,
  readDepositOf,
  shownSchemas,
} from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { columnsOf } from '#src/statements/csv.ts';
import { answerList, csvMedia, wantsCsv } from '#src/statements/list-answer.ts';

/** The callback URL is checked, and a charge registered at the provider, before it is answered. */
const createTimeoutMs = 10_000;
/** The provider takes the charge back first, and may have to be asked what became of it. */
const cancelTimeoutMs = 12_000;

export const depositEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/deposits',
    summary: 'Create a deposit',
    body: depositRequests,
    example: {
      amount_cents: 1_500,
      external_id: 'order-1001',
      payer: { name: 'Maria da Silva', document: '529.982.247-25' },
      metadata: { cart: '7' },
    },
    timeoutMs: createTimeoutMs,
    answers: { 201: shownSchemas.deposit, 200: shownSchemas.deposit },
    handle: async ({ caller, body, apiVersion }, { bus }) => {
      const request = readDepositOf(body, caller, apiVersion);
      const { callbackUrl: url } = request;
      if (url !== null) await callRpc(bus, checkTargetUrl, { url, member: 'callback_url' });
      const { created, deposit } = await callRpc(bus, createDeposit, request);
      return { status: created ? 201 : 200, body: presenters[apiVersion].deposit(deposit) };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/deposits/:id',
    summary: 'Read a deposit',
    answers: { 200: shownSchemas.deposit },
    handle: async (call, { bus }) => {
      const { deposit } = await callRpc(bus, getDeposit, { ...ownerOf(call), id: idIn(call, 'deposit') });
      return { status: 200, body: presenters[call.apiVersion].deposit(deposit) };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/deposits',
    summary: 'List deposits, newest first',
    query: depositsQuerySchema,
    answers: { 200: pageOf(shownSchemas.deposit) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const { status, external_id: externalId, currency } = call.query;
      const present = presenters[call.apiVersion].deposit;
      return await answerList(call, bus, {
        name: 'deposits',
        columns: columnsOf(shownSchemas.deposit, call.apiVersion),
        isCsv: wantsCsv(call),
        page: async (asked, page) => {
          const request = { ...ownerOf(call), ...page, status, externalId, currency };
          const { deposits, nextCursor } = await callRpc(asked, listDeposits, request);
          return { data: deposits.map(present), nextCursor };
        },
      });
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/deposits/:id/cancel',
    summary: 'Cancel a deposit that has not been paid yet',
    timeoutMs: cancelTimeoutMs,
    answers: { 200: shownSchemas.deposit },
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), id: idIn(call, 'deposit') };
      const { deposit } = await callRpc(bus, cancelDeposit, request);
      return { status: 200, body: presenters[call.apiVersion].deposit(deposit) };
    },
  }),
];
