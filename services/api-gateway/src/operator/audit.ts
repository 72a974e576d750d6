import { z } from 'zod';
import { auditQuerySchema, pageOf } from '@gateway/public-api';
import type { AuditEntity } from '#src/approvals/audit.ts';
import { operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { readAudit } from '#src/operator/read-page.ts';

const recordSchema = z.record(z.string(), z.unknown()).nullable();

const auditResourceSchema = z.object({
  id: z.string(),
  object: z.literal('audit'),
  operator: z.string(),
  action: z.string(),
  target: z.string(),
  before: recordSchema,
  after: recordSchema,
  request_id: z.string(),
  /** Unix seconds. */
  created_at: z.int(),
});

export const auditEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/audit',
    summary: 'List what operators changed, newest first',
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
