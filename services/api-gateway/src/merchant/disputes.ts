import { getDispute, listDisputes, submitEvidence } from '@gateway/contracts/deposits';
import { disputesQuerySchema, evidenceRequestSchema, pageOf, presenters, shownSchemas } from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { columnsOf } from '#src/statements/csv.ts';
import { answerList, csvMedia, wantsCsv } from '#src/statements/list-answer.ts';

export const disputeEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/disputes',
    summary: 'List disputes (MED), newest first',
    query: disputesQuerySchema,
    answers: { 200: pageOf(shownSchemas.dispute) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const { status, deposit_id: depositId } = call.query;
      const present = presenters[call.apiVersion].dispute;
      return await answerList(call, bus, {
        name: 'disputes',
        columns: columnsOf(shownSchemas.dispute, call.apiVersion),
        isCsv: wantsCsv(call),
        page: async (asked, page) => {
          const request = { ...ownerOf(call), ...page, status, depositId };
          const { disputes, nextCursor } = await callRpc(asked, listDisputes, request);
          return { data: disputes.map(present), nextCursor };
        },
      });
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/disputes/:id',
    summary: 'Read a dispute',
    answers: { 200: shownSchemas.dispute },
    handle: async (call, { bus }) => {
      const { dispute } = await callRpc(bus, getDispute, { ...ownerOf(call), id: idIn(call, 'dispute') });
      return { status: 200, body: presenters[call.apiVersion].dispute(dispute) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/disputes/:id/evidence',
    summary: 'Submit evidence against a dispute',
    body: evidenceRequestSchema,
    example: { text: 'Delivered on 12 May, signed for by the payer.' },
    answers: { 200: shownSchemas.dispute },
    handle: async (call, { bus }) => {
      const { text, urls } = call.body;
      const request = { ...ownerOf(call), id: idIn(call, 'dispute'), text, urls: urls ?? [] };
      const { dispute } = await callRpc(bus, submitEvidence, request);
      return { status: 200, body: presenters[call.apiVersion].dispute(dispute) };
    },
  }),
];
