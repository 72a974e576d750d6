import { z } from 'zod';
import { auditQuerySchema, count, objectName, recordId, text, unixSeconds } from '@gateway/public-api';
import type { AuditEntity } from '#src/approvals/audit.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { readAudit } from '#src/operator/read-page.ts';

const recordSchema = z
  .record(z.string(), z.unknown())
  .meta({ examples: [{ name: 'Loja Um' }] })
  .nullable();

const auditResourceSchema = z
  .object({
    id: recordId('audit', 'The id of the entry.'),
    object: objectName('audit'),
    kind: z.enum(['change', 'read']).describe('Whether something was changed, or personal data read.'),
    operator: text('The operator who did it.', 'ana'),
    action: text('What was done.', 'account.update'),
    target: text('The id of what was changed or read; of a list its action.', 'acc_01k9z3m4v6t8x0a2c4e6g8jk01'),
    account_id: recordId('account', 'The account whose record it is; null where it is none.').nullable(),
    before: recordSchema.describe('The record before; null where there was none.'),
    after: recordSchema.describe('The record after; null where there is none.'),
    filter: recordSchema.describe('Of a read: what a list was asked for; null of one record.'),
    records: count('Of a read: how many records it showed; null while a list in CSV is being written.', 1).nullable(),
    request_id: text('The id of the request in our logs.', 'req_01k9z3m4v6t8x0a2c4e6g8jk01'),
    created_at: unixSeconds('When it was done.'),
  })
  .meta({ id: 'AuditEntry', description: 'What an operator changed, or read of personal data.' });

export const auditEndpoints = [
  operatorList({
    path: '/ops/audit',
    operation: 'listAudit',
    permission: 'audit:read',
    summary: 'List what operators changed, and what they read of personal data, newest first',
    description:
      'Answers with every change that operators made, newest first, each with the record before and after it and ' +
      'the id of the request. With `kind=read`: every request that was answered with personal data of payers, recipients ' +
      'or accounts, with its filter and the number of records.',
    query: auditQuerySchema,
    name: 'audit',
    schema: auditResourceSchema,
    reads: 'audit.list',
    page: async ({ query }, { database }, page) => {
      const { rows, nextCursor } = await readAudit(database, { ...query, ...page });
      return { data: rows.map(presentAudit), nextCursor };
    },
  }),
];

function presentAudit(row: AuditEntity) {
  return {
    id: row.id,
    object: 'audit',
    kind: row.kind,
    operator: row.operator,
    action: row.action,
    target: row.target,
    account_id: row.accountId,
    before: row.before ?? null,
    after: row.after ?? null,
    filter: row.filter ?? null,
    records: row.records,
    request_id: row.requestId,
    created_at: Math.floor(row.createdAt.getTime() / 1_000),
  };
}
