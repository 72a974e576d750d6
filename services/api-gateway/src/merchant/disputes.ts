import { getDispute, listDisputes, showDisputes, submitEvidence } from '@gateway/contracts/deposits';
import {
  disputesQuerySchema,
  evidenceRequestSchema,
  pageOf,
  presenters,
  secondsOfPeriod,
  shownSchemas,
} from '@gateway/public-api';
import { callForBytes, callRpc } from '@gateway/messaging';
import { attachFiles } from '#src/files/stored-files.ts';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { answerRecords, csvMedia, type OrderedPageAsked } from '#src/statements/list-answer.ts';

export const disputeEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/disputes',
    operation: 'listDisputes',
    summary: 'List disputes (MED), newest first',
    description:
      'Answers with the disputes of the account, newest first. An OPEN dispute wants evidence before ' +
      '`defense_due_at`.',
    query: disputesQuerySchema,
    answers: { 200: pageOf(shownSchemas.dispute) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const { status, deposit_id: depositId, due_before: due, zone } = call.query;
      const { from: dueBefore } = secondsOfPeriod({ from: due, zone });
      const { apiVersion, language } = call;
      const request = (page: OrderedPageAsked) => ({ ...ownerOf(call), ...page, status, depositId, dueBefore });
      return await answerRecords(call, bus, {
        name: 'disputes',
        schema: shownSchemas.dispute,
        shown: (asked, page) => callForBytes(asked, showDisputes, { ...request(page), apiVersion, language }),
        page: async (asked, page) => {
          const { disputes, nextCursor } = await callRpc(asked, listDisputes, request(page));
          const { dispute: present } = presenters[apiVersion];
          return { data: disputes.map((dispute) => present(dispute, language)), nextCursor };
        },
      });
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/disputes/:id',
    operation: 'getDispute',
    summary: 'Read a dispute',
    description: 'Answers with a dispute, the amount that is blocked for it, and the evidence that was submitted.',
    answers: { 200: shownSchemas.dispute },
    handle: async (call, { bus }) => {
      const { dispute } = await callRpc(bus, getDispute, { ...ownerOf(call), id: idIn(call, 'dispute') });
      return { status: 200, body: presenters[call.apiVersion].dispute(dispute, call.language) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/disputes/:id/evidence',
    operation: 'submitDisputeEvidence',
    summary: 'Submit evidence against a dispute',
    description:
      'Hands evidence to the provider, which passes it to the bank of the payer; the dispute becomes ' +
      'UNDER_ANALYSIS and `med.under_analysis` is sent. It can be called again while the dispute is not decided. ' +
      'The files behind `urls` are fetched by the provider, so they have to be public. Those of `files` were stored by ' +
      '`POST /v1/files`; the provider fetches them by links that open nothing else.',
    refusals: ['INVALID_STATE'],
    body: evidenceRequestSchema,
    example: { text: 'Delivered on 12 May, signed for by the payer.' },
    answers: { 200: shownSchemas.dispute },
    handle: async (call, { bus, database }) => {
      const { text, urls, files } = call.body;
      const of = { ...ownerOf(call), id: idIn(call, 'dispute') };
      // Files are not kept for a dispute that is none.
      if (files?.length) await callRpc(bus, getDispute, of);
      const attached = await attachFiles(database, of, files ?? []);
      const { dispute } = await callRpc(bus, submitEvidence, { ...of, text, urls: urls ?? [], files: attached });
      return { status: 200, body: presenters[call.apiVersion].dispute(dispute, call.language) };
    },
  }),
];
