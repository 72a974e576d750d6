import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';

/** Records asked for at once: those of a page of entries. */
const statementRecordsMax = 200;

/** What an accounting statement says of the record behind an entry. */
export const statementRecordSchema = z.object({
  id: z.string(),
  /** The merchant's own reference. */
  externalId: z.string().nullable(),
  /** Of the transfer on the rail; of a refund, that of the return. */
  e2eId: z.string().nullable(),
  /** Who paid, or was paid. A payer's document is masked as in the deposit. */
  counterparty: z.object({ name: z.string().nullable(), document: z.string().nullable() }).nullable(),
});
export type StatementRecord = z.infer<typeof statementRecordSchema>;

/** The records of an account by their ids, in any order. An id of which the owner has no record is left out. */
export const statementRecordsRequestSchema = z.object({
  environment: environmentSchema,
  accountId: idSchema('account'),
  ids: z.array(z.string()).max(statementRecordsMax),
});

export const statementRecordsReplySchema = z.object({ records: z.array(statementRecordSchema) });
