import { z } from 'zod';
import {
  adjustmentRequestSchema,
  adjustmentResourceSchema,
  adjustmentStatusSchema,
  idSchema,
  pageOf,
  pageQuery,
} from '@gateway/contracts';
import { presentAdjustment } from '#src/adjustments/adjustment-entity.ts';
import { approveAdjustment } from '#src/adjustments/approve-adjustment.ts';
import { proposeAdjustment } from '#src/adjustments/propose-adjustment.ts';
import { actOf, operatorEndpoint } from '#src/operator-api/operator-endpoint.ts';
import { readAdjustments } from '#src/operator-api/read-page.ts';

const adjustmentsQuerySchema = z.object({
  ...pageQuery('adjustment'),
  status: adjustmentStatusSchema.optional(),
  account_id: idSchema('account').optional(),
});

export const adjustmentEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/adjustments',
    summary: 'Propose a correction of a balance, for another operator to approve',
    body: adjustmentRequestSchema,
    answers: { 201: adjustmentResourceSchema, 200: adjustmentResourceSchema },
    handle: async (call, { database }) => {
      const { created, adjustment } = await proposeAdjustment(database, actOf(call), call.body);
      return { status: created ? 201 : 200, body: adjustment };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/adjustments/:id/approve',
    summary: 'Carry out what another operator proposed',
    answers: { 200: adjustmentResourceSchema },
    handle: async (call, { database, asker }) => {
      const { id = '' } = call.params;
      return { status: 200, body: await approveAdjustment(database, asker, actOf(call), id) };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/adjustments',
    summary: 'List adjustments, newest first',
    query: adjustmentsQuerySchema,
    answers: { 200: pageOf(adjustmentResourceSchema) },
    handle: async ({ query }, { database }) => {
      const { rows, nextCursor } = await readAdjustments(database, query);
      return { status: 200, body: { data: rows.map(presentAdjustment), next_cursor: nextCursor } };
    },
  }),
];
