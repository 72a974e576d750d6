import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { cancelPayout, createPayout, getPayout, listPayouts, showPayouts } from '@gateway/contracts/payouts';
import {
  pageOf,
  payoutRequests,
  payoutsQuerySchema,
  presenters,
  readPayoutOf,
  shownSchemas,
  wrapped,
} from '@gateway/public-api';
import { callForBytes, callRpc, createOrAbandonPayout, type Askable } from '@gateway/messaging';
import { unlessKnown } from '#src/merchant/known-record.ts';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { answerRecords, csvMedia, type OrderedPageAsked } from '#src/statements/list-answer.ts';

/** The provider's own deadline ends well before it, so that a slow provider is answered as PROVIDER_TIMEOUT, with the id. */
const createTimeoutMs = 20_000;
/** For the payouts service to answer what has become of a creation it did not answer. */
const abandonTimeoutMs = 5_000;

/** The answer waits for the ledger, so that a reader of REJECTED finds the balance. */
const cancelTimeoutMs = 10_000;

const wrappedPayout = wrapped({ payout: shownSchemas.payout });

export const payoutEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/payouts',
    operation: 'createPayout',
    summary: 'Create a payout',
    description:
      'Takes amount and fee from the available balance and sends the amount to the key. The money goes out once: ' +
      'a second call with the same `external_id` answers 200 with the existing payout. The call may take up to ' +
      '25 seconds. 504 `PROVIDER_TIMEOUT` with `error.payout_id` means that the outcome is open: read that ' +
      'payout, and do not send another one. A payout above a limit of the account is PENDING until an operator ' +
      'approves it.',
    refusals: ['INSUFFICIENT_FUNDS', 'CURRENCY_NOT_SUPPORTED', 'PROVIDER_TIMEOUT'],
    body: payoutRequests,
    example: {
      amount_cents: 1_200,
      external_id: 'payout-1001',
      pix_key: 'maria@example.com',
      pix_key_type: 'email',
      recipient: { name: 'Maria da Silva', document: '529.982.247-25' },
    },
    timeoutMs: createTimeoutMs + abandonTimeoutMs,
    answers: { 201: wrappedPayout, 200: wrappedPayout },
    leadsTo: { getPayout: '/payout/id', cancelPayout: '/payout/id', simulatePayoutResult: '/payout/id' },
    handle: async (call, { bus }) => {
      const { caller, body, apiVersion, language } = call;
      const read = async () => readPayoutOf(body, caller, apiVersion);
      const wanted = await unlessKnown(read, async () => {
        const externalId = body.value.external_id;
        const { payouts } = await callRpc(bus, listPayouts, { ...ownerOf(call), externalId, limit: 1 });
        return payouts[0];
      });
      const { created, payout } =
        'known' in wanted
          ? { created: false, payout: wanted.known }
          : await createPayoutInTime(bus, wanted.request, createTimeoutMs);
      return { status: created ? 201 : 200, body: { payout: presenters[apiVersion].payout(payout, language) } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/payouts/:id',
    operation: 'getPayout',
    summary: 'Read a payout',
    description:
      'Answers with the payout as it is now. PAID, FAILED and REJECTED are final; a PAID payout can still be ' +
      'sent back by the receiving bank, which `returned_cents` shows.',
    answers: { 200: wrappedPayout },
    handle: async (call, { bus }) => {
      const { payout } = await callRpc(bus, getPayout, { ...ownerOf(call), id: idIn(call, 'payout') });
      return { status: 200, body: { payout: presenters[call.apiVersion].payout(payout, call.language) } };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/payouts/:id/cancel',
    operation: 'cancelPayout',
    summary: 'Cancel a payout that waits for approval; amount and fee are credited back',
    description:
      'Refuses a payout that is PENDING, before it is sent: it becomes REJECTED, amount and fee are credited ' +
      'back, and `payout.canceled` is sent. 409 `INVALID_STATE` means that it is on its way or has ended ' +
      'already.',
    refusals: ['INVALID_STATE'],
    timeoutMs: cancelTimeoutMs,
    answers: { 200: wrappedPayout },
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), id: idIn(call, 'payout') };
      const { payout } = await callRpc(bus, cancelPayout, request);
      return { status: 200, body: { payout: presenters[call.apiVersion].payout(payout, call.language) } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/payouts',
    operation: 'listPayouts',
    summary: 'List payouts, newest first',
    description:
      'Answers with the payouts of the account in the environment of the key, newest first. With `external_id` ' +
      'it answers whether a payout exists, which is what to ask after a call that was not answered.',
    query: payoutsQuerySchema,
    answers: { 200: pageOf(shownSchemas.payout) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const { status, external_id: externalId, kind, currency, e2e_id: e2eId } = call.query;
      const { min_amount: minAmount, max_amount: maxAmount, recipient_document: recipientDocument } = call.query;
      const wanted = { status, externalId, kind, currency, e2eId, minAmount, maxAmount, recipientDocument };
      const { apiVersion, language } = call;
      const present = presenters[apiVersion].payout;
      const request = (page: OrderedPageAsked) => ({ ...ownerOf(call), ...page, ...wanted });
      return await answerRecords(call, bus, {
        name: 'payouts',
        schema: shownSchemas.payout,
        shown: (asked, page) => callForBytes(asked, showPayouts, { ...request(page), apiVersion, language }),
        page: async (asked, page) => {
          const { payouts, nextCursor } = await callRpc(asked, listPayouts, request(page));
          return { data: payouts.map((payout) => present(payout, language)), nextCursor };
        },
      });
    },
  }),
];

/**
 * Creates a payout within the time of a request (api.md 1). A creation that is not answered is looked up; when its outcome
 * is still open, the answer is 504 with the id of the record.
 *
 * @param timeoutMs for the creation; what is left of the request's time is for the look-up
 * @throws DomainError PROVIDER_TIMEOUT as above, or without an id when it is not known whether there is a record
 */
export async function createPayoutInTime(
  bus: Askable,
  request: RequestOf<typeof createPayout>,
  timeoutMs: number,
): Promise<ReplyOf<typeof createPayout>> {
  const { environment, account, externalId } = request;
  const create = () => callRpc(bus, createPayout, request, { timeoutMs });
  const { created, payout, unanswered } = await createOrAbandonPayout(
    bus,
    { key: { environment, accountId: account.id, externalId }, create },
    { referenceName: 'external_id' },
  );
  if (!unanswered || payout.status !== 'PROCESSING') return { created, payout };
  throw new DomainError('PROVIDER_TIMEOUT', 'no outcome in time; query the payout before you try again', {
    extra: { payout_id: payout.id },
    cause: unanswered,
  });
}
