import { cancelDeposit, createDeposit, getDeposit, listDeposits, showDeposits } from '@gateway/contracts/deposits';
import { checkTargetUrl } from '@gateway/contracts/webhooks';
import {
  depositRequests,
  depositsQuerySchema,
  pageOf,
  presenters,
  readDepositOf,
  shownSchemas,
} from '@gateway/public-api';
import { callForBytes, callRpc } from '@gateway/messaging';
import { unlessKnown } from '#src/merchant/known-record.ts';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { answerRecords, csvMedia, type OrderedPageAsked } from '#src/statements/list-answer.ts';

/** The callback URL is checked, and a charge registered at the provider, before it is answered. */
const createTimeoutMs = 10_000;
/** The provider takes the charge back first, and may have to be asked what became of it. */
const cancelTimeoutMs = 12_000;

export const depositEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/deposits',
    operation: 'createDeposit',
    summary: 'Create a deposit',
    description:
      'Registers a charge at a payment provider and answers with what its payer needs to pay it. `external_id` ' +
      'is the key of repetition: a second call with it answers 200 with the existing deposit, whatever its body ' +
      'says, so a call without an answer can be repeated as it is. The webhook `deposit.pending` follows, and ' +
      'later `deposit.paid`, `deposit.expired` or `deposit.canceled`. After 422 or 503 nothing was created.',
    refusals: ['CURRENCY_NOT_SUPPORTED'],
    body: depositRequests,
    example: {
      amount_cents: 1_500,
      external_id: 'order-1001',
      payer: { name: 'Maria da Silva', document: '529.982.247-25' },
      metadata: { cart: '7' },
    },
    timeoutMs: createTimeoutMs,
    answers: { 201: shownSchemas.deposit, 200: shownSchemas.deposit },
    leadsTo: { getDeposit: '/id', cancelDeposit: '/id', createRefund: '/id', simulateDepositPayment: '/id' },
    handle: async (call, { bus }) => {
      const { caller, body, apiVersion } = call;
      const read = async () => {
        const request = readDepositOf(body, caller, apiVersion);
        const { callbackUrl: url } = request;
        if (url !== null) await callRpc(bus, checkTargetUrl, { url, member: 'callback_url' });
        return request;
      };
      const wanted = await unlessKnown(read, async () => {
        const externalId = body.value.external_id;
        const { deposits } = await callRpc(bus, listDeposits, { ...ownerOf(call), externalId, limit: 1 });
        return deposits[0];
      });
      if ('known' in wanted) return { status: 200, body: presenters[apiVersion].deposit(wanted.known) };
      const { created, deposit } = await callRpc(bus, createDeposit, wanted.request);
      return { status: created ? 201 : 200, body: presenters[apiVersion].deposit(deposit) };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/deposits/:id',
    operation: 'getDeposit',
    summary: 'Read a deposit',
    description:
      'Answers with the deposit as it is now. A deposit that is PAID is credited already: whoever reads it finds ' +
      'the money in the balance. Use webhooks to learn of a payment, and this call to be certain of it.',
    answers: { 200: shownSchemas.deposit },
    handle: async (call, { bus }) => {
      const { deposit } = await callRpc(bus, getDeposit, { ...ownerOf(call), id: idIn(call, 'deposit') });
      return { status: 200, body: presenters[call.apiVersion].deposit(deposit) };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/deposits',
    operation: 'listDeposits',
    summary: 'List deposits, newest first',
    description:
      'Answers with the deposits of the account in the environment of the key, newest first. With `external_id` ' +
      'it answers whether a charge exists, which is the way to find out after a call that was not answered.',
    query: depositsQuerySchema,
    answers: { 200: pageOf(shownSchemas.deposit) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const { status, external_id: externalId, currency, e2e_id: e2eId, payer_document: payerDocument } = call.query;
      const { min_amount: minAmount, max_amount: maxAmount, metadata } = call.query;
      const wanted = { status, externalId, currency, e2eId, minAmount, maxAmount, payerDocument, metadata };
      const { apiVersion } = call;
      const request = (page: OrderedPageAsked) => ({ ...ownerOf(call), ...page, ...wanted });
      return await answerRecords(call, bus, {
        name: 'deposits',
        schema: shownSchemas.deposit,
        shown: (asked, page) => callForBytes(asked, showDeposits, { ...request(page), apiVersion }),
        page: async (asked, page) => {
          const { deposits, nextCursor } = await callRpc(asked, listDeposits, request(page));
          return { data: deposits.map(presenters[apiVersion].deposit), nextCursor };
        },
      });
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/deposits/:id/cancel',
    operation: 'cancelDeposit',
    summary: 'Cancel a deposit that has not been paid yet',
    description:
      'Takes a PENDING charge back, at its provider first, so that it cannot be paid any more; the deposit ' +
      'becomes FAILED and `deposit.canceled` is sent. 409 `INVALID_STATE` means that it was paid, expired or ' +
      'canceled before: read it. Money that a payer sends all the same is returned to the payer.',
    refusals: ['INVALID_STATE'],
    timeoutMs: cancelTimeoutMs,
    answers: { 200: shownSchemas.deposit },
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), id: idIn(call, 'deposit') };
      const { deposit } = await callRpc(bus, cancelDeposit, request);
      return { status: 200, body: presenters[call.apiVersion].deposit(deposit) };
    },
  }),
];
