import { z } from 'zod';
import { auditQuerySchema, objectName, pageOf, recordId, text, unixSeconds } from '@gateway/public-api';
import type { AuditEntity } from '#src/approvals/audit.ts';
import { operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { readAudit } from '#src/operator/read-page.ts';

const recordSchema = z
  .record(z.string(), z.unknown())
  .meta({ examples: [{ name: 'Loja Um' }] })
  .nullable();

const auditResourceSchema = z
  .object({
    id: recordId('audit', 'The id of the entry.'),
    object: objectName('audit'),
    operator: text('Who made the change.', 'ana'),
    action: text('What was done.', 'account.update'),
    target: text('The id of what was changed.', 'acc_01k9z3m4v6t8x0a2c4e6g8jk01'),
    before: recordSchema.describe('The record before; null where there was none.'),
    after: recordSchema.describe('The record after; null where there is none.'),
    request_id: text('The id of the request in our logs.', 'req_01k9z3m4v6t8x0a2c4e6g8jk01'),
    created_at: unixSeconds('When it was done.'),
  })
  .meta({ id: 'AuditEntry', description: 'A change that an operator made.' });

export const auditEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/audit',
    operation: 'listAudit',
    summary: 'List what operators changed, newest first',
    description:
      'Answers with every change that operators made, newest first, each with the record before and after it and ' +
      'the id of the request.',
    query: auditQuerySchema,
    answers: { 200: pageOf(auditResourceSchema) },
    handle: async ({ query }, { database }) => {
      const { rows, nextCursor } = await readAudit(database, query);
      return { status: 200, body: { data: rows.map(presentAudit), next_cursor: nextCursor } };
    },
  }),
];

function presentAudit(row: AuditEntity) {
  return {
    id: row.id,
    object: 'audit',
    operator: row.operator,
    action: row.action,
    target: row.target,
    before: row.before ?? null,
    after: row.after ?? null,
    request_id: row.requestId,
    created_at: Math.floor(row.createdAt.getTime() / 1_000),
  };
}
