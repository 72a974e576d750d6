import {
  abandonRefund,
  createRefund,
  getRefund,
  listAccountRefunds,
  listRefunds,
  showAccountRefunds,
  showRefunds,
} from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import {
  accountRefundsQuerySchema,
  pageOf,
  presenters,
  refundRequests,
  refundsQuerySchema,
  shownSchemas,
  wrapped,
} from '@gateway/public-api';
import { type Askable, callForBytes, callRpc, NoAnswerError } from '@gateway/messaging';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { answerRecords, csvMedia, type OrderedPageAsked } from '#src/statements/list-answer.ts';

/** The provider's own deadline ends well before it; a refund that takes longer is answered PROCESSING. */
const createTimeoutMs = 20_000;
/** For the deposits service to answer what has become of a creation it did not answer. */
const abandonTimeoutMs = 5_000;

const wrappedRefund = wrapped({ refund: shownSchemas.refund });

export const refundEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/deposits/:id/refunds',
    operation: 'createRefund',
    summary: 'Refund a paid deposit, wholly or in part',
    description:
      'Sends money of a paid deposit back to its payer: the amount that is given, otherwise all that is left. ' +
      'Several refunds may add up to the amount that was paid. The gross amount is taken from the available ' +
      'balance at once, and fees are not given back. A refund is answered as PROCESSING while its provider ' +
      'works; `refund.done` or `refund.failed` follows, and a failed one is credited again. 504 ' +
      '`PROVIDER_TIMEOUT` means that it is not known whether there is a refund: repeat the call with the same ' +
      '`external_id`.',
    refusals: ['INVALID_STATE', 'INSUFFICIENT_FUNDS', 'REFUND_EXCEEDS_AMOUNT', 'PROVIDER_TIMEOUT'],
    timeoutMs: createTimeoutMs + abandonTimeoutMs,
    body: refundRequests,
    example: { amount_cents: 500, external_id: 'refund-1001', reason: 'returned goods' },
    answers: { 201: wrappedRefund, 200: wrappedRefund },
    leadsTo: { getRefund: '/refund/id' },
    handle: async (call, { bus }) => {
      const { amount_cents: amount, external_id: externalId, reason } = call.body.value;
      const request = {
        ...ownerOf(call),
        depositId: idIn(call, 'deposit'),
        externalId,
        amount: amount ?? null,
        reason: reason ?? null,
      };
      const { created, refund } = await createRefundInTime(bus, request, createTimeoutMs);
      return {
        status: created ? 201 : 200,
        body: { refund: presenters[call.apiVersion].refund(refund, call.language) },
      };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/deposits/:id/refunds',
    operation: 'listDepositRefunds',
    summary: "List a deposit's refunds, newest first",
    description: 'Answers with the refunds of one deposit, newest first, whatever their status.',
    query: refundsQuerySchema,
    answers: { 200: pageOf(shownSchemas.refund) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const depositId = idIn(call, 'deposit');
      const { apiVersion, language } = call;
      const present = presenters[apiVersion].refund;
      const request = (page: OrderedPageAsked) => ({ ...ownerOf(call), ...page, depositId });
      return await answerRecords(call, bus, {
        name: 'refunds',
        schema: shownSchemas.refund,
        shown: (asked, page) => callForBytes(asked, showRefunds, { ...request(page), apiVersion, language }),
        page: async (asked, page) => {
          const { refunds, nextCursor } = await callRpc(asked, listRefunds, request(page));
          return { data: refunds.map((refund) => present(refund, language)), nextCursor };
        },
      });
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/refunds',
    operation: 'listRefunds',
    summary: 'List refunds, newest first',
    description:
      'Answers with the refunds of the account in the environment of the key, newest first; `deposit_id` and ' +
      '`status` narrow the list.',
    query: accountRefundsQuerySchema,
    answers: { 200: pageOf(shownSchemas.refund) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const { status, deposit_id: depositId } = call.query;
      const { apiVersion, language } = call;
      const present = presenters[apiVersion].refund;
      const request = (page: OrderedPageAsked) => ({ ...ownerOf(call), ...page, status, depositId });
      return await answerRecords(call, bus, {
        name: 'refunds',
        schema: shownSchemas.refund,
        shown: (asked, page) => callForBytes(asked, showAccountRefunds, { ...request(page), apiVersion, language }),
        page: async (asked, page) => {
          const { refunds, nextCursor } = await callRpc(asked, listAccountRefunds, request(page));
          return { data: refunds.map((refund) => present(refund, language)), nextCursor };
        },
      });
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/refunds/:id',
    operation: 'getRefund',
    summary: 'Read a refund',
    description:
      'Answers with the refund as it is now. Of one that FAILED, `failure_reason` says why; its amount is ' +
      'available again.',
    answers: { 200: shownSchemas.refund },
    handle: async (call, { bus }) => {
      const { refund } = await callRpc(bus, getRefund, { ...ownerOf(call), id: idIn(call, 'refund') });
      return { status: 200, body: presenters[call.apiVersion].refund(refund, call.language) };
    },
  }),
];

/**
 * Creates a refund within the time of a request (api.md 1). A creation that is not answered is looked up and, where it is not
 * on its way, given up: 503 is answered only when there is none and none will be made by this call.
 *
 * @param timeoutMs for the creation; what is left of the request's time is for the look-up
 * @throws DomainError PROVIDER_TIMEOUT when it is not known whether there is one; the same call again finds out
 */
export async function createRefundInTime(
  bus: Askable,
  request: RequestOf<typeof createRefund>,
  timeoutMs: number,
): Promise<ReplyOf<typeof createRefund>> {
  try {
    return await callRpc(bus, createRefund, request, { timeoutMs });
  } catch (error) {
    if (!(error instanceof NoAnswerError) || error.received === 'no') throw error;
    const refund = await findOrAbandon(bus, request).catch(() => {
      const message = 'the outcome is not known; repeat the call with the same external_id';
      throw new DomainError('PROVIDER_TIMEOUT', message, { cause: error });
    });
    if (!refund) throw error;
    return { created: false, refund };
  }
}

async function findOrAbandon(bus: Askable, { environment, accountId, externalId }: RequestOf<typeof createRefund>) {
  const { refund } = await callRpc(bus, abandonRefund, { environment, accountId, externalId });
  return refund;
}
