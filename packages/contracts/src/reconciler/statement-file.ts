import { z } from 'zod';
import { currencySchema, idSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';
import { csvMappingSchema } from '#src/reconciler/csv-mapping.ts';
import { itemKindSchema } from '#src/reconciler/item.ts';

export const statementFileFormatSchema = z.enum(['cnab240', 'ofx', 'camt053', 'csv']);

/**
 * `RECEIVED`: complete, and being imported. `IMPORTED`: each of its lines is there once. `REFUSED`: nothing of it was
 * taken; `refusal` has the place.
 */
export const statementFileStateSchema = z.enum(['RECEIVED', 'IMPORTED', 'REFUSED']);

const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** ISO 8601 UTC with milliseconds. */
const timeSchema = z.string();

/** Where a file could not be read. */
const refusalSchema = z.object({ line: z.int(), field: z.string(), reason: z.string() });

/** What a file says about its lines. */
const statementSummarySchema = z.object({
  account: z.string().nullable(),
  fromDay: daySchema.nullable(),
  toDay: daySchema.nullable(),
  openingCents: z.int().nullable(),
  closingCents: z.int().nullable(),
  lines: z.int(),
  /** Of them, those that no file before had. */
  newLines: z.int(),
});

export type StatementSummary = z.infer<typeof statementSummarySchema>;

/** A bank's statement, as an operator gave it. */
export const statementFileSchema = z.object({
  id: idSchema('statementFile'),
  provider: z.string(),
  currency: currencySchema,
  format: statementFileFormatSchema,
  mappingVersion: z.int().nullable(),
  state: statementFileStateSchema,
  sha256: z.string(),
  bytes: z.int(),
  summary: statementSummarySchema.nullable(),
  refusal: refusalSchema.nullable(),
  uploadedBy: z.string(),
  receivedAt: timeSchema,
});
export type StatementFile = z.infer<typeof statementFileSchema>;

/** One line, as it would be imported. */
const statementLineSchema = z.object({
  line: z.int(),
  bookedAt: timeSchema,
  day: daySchema,
  amountCents: z.int(),
  kind: itemKindSchema,
  document: z.string(),
  e2eId: z.string().nullable(),
  type: z.string(),
  text: z.string(),
});
export type StatementLine = z.infer<typeof statementLineSchema>;

/** How many bytes one message carries: with base64 they stay below the broker's limit of a message. */
export const statementChunkBytes = 512 * 1_024;
const chunkCharactersMax = Math.ceil(statementChunkBytes / 3) * 4;
const chunksMax = 101;

/**
 * A file comes in three steps, since it is larger than a message of the broker: it is begun, its bytes come in numbered
 * chunks, and it is imported. One that is not imported within an hour is deleted.
 *
 * VALIDATION_ERROR naming `provider` that is unknown, or `format` without an approved mapping; INVALID_STATE for a
 * provider whose list is read.
 */
export const beginStatementFile = defineRpc({
  subject: 'rpc.reconciler.begin-statement-file.v1',
  owner: 'reconciler',
  request: z.object({
    provider: z.string().max(60),
    currency: currencySchema,
    format: statementFileFormatSchema,
    /** Of a CSV, a version that is not approved yet; for a dry run alone. */
    mappingVersion: z.int().min(1).nullable(),
    dryRun: z.boolean(),
    operator: z.string().max(200),
    /** The account that the file has to have; from then on files of it are accepted beside those of the first. */
    account: z.string().max(80).nullable().default(null),
  }),
  reply: z.object({ id: idSchema('statementFile') }),
});

/** A chunk that is there already with the same bytes is accepted; with others it is an INVALID_STATE. */
export const appendStatementFile = defineRpc({
  subject: 'rpc.reconciler.append-statement-file.v1',
  owner: 'reconciler',
  request: z.object({
    id: idSchema('statementFile'),
    number: z.int().min(0).max(chunksMax),
    bytes: z.base64().max(chunkCharactersMax),
  }),
  reply: z.object({}),
});

/**
 * Imports a file whose chunks are all there. Of a file with the same bytes the first one is the answer. A file that cannot be
 * read is a VALIDATION_ERROR that names the line and the field; nothing of it was taken then.
 */
export const importStatementFile = defineRpc({
  subject: 'rpc.reconciler.import-statement-file.v1',
  owner: 'reconciler',
  request: z.object({
    id: idSchema('statementFile'),
    chunks: z.int().min(0).max(chunksMax),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  reply: z.object({
    /** Null after a dry run. */
    file: statementFileSchema.nullable(),
    created: z.boolean(),
    /** Of a dry run: what the file says, and its first lines. */
    dryRun: z.object({ summary: statementSummarySchema, lines: z.array(statementLineSchema) }).nullable(),
  }),
});

export const listStatementFiles = defineRpc({
  subject: 'rpc.reconciler.list-statement-files.v1',
  owner: 'reconciler',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    provider: z.string().max(60).optional(),
    state: statementFileStateSchema.optional(),
  }),
  reply: z.object({ files: z.array(statementFileSchema), nextCursor: z.string().nullable() }),
});

export const getStatementFile = defineRpc({
  subject: 'rpc.reconciler.get-statement-file.v1',
  owner: 'reconciler',
  request: z.object({ id: z.string().max(40) }),
  reply: z.object({ file: statementFileSchema }),
});

/** How a provider's CSV is read. Versions count up; the one approved last is used. */
export const statementMappingSchema = z.object({
  provider: z.string(),
  version: z.int(),
  state: z.enum(['DRAFT', 'APPROVED']),
  mapping: csvMappingSchema,
  proposedBy: z.string(),
  approvedBy: z.string().nullable(),
  createdAt: timeSchema,
  approvedAt: timeSchema.nullable(),
});
export type StatementMapping = z.infer<typeof statementMappingSchema>;

/** A draft with a version of its own, which dry runs can use. */
export const draftStatementMapping = defineRpc({
  subject: 'rpc.reconciler.draft-statement-mapping.v1',
  owner: 'reconciler',
  request: z.object({ provider: z.string().max(60), mapping: csvMappingSchema, operator: z.string().max(200) }),
  reply: z.object({ mapping: statementMappingSchema }),
});

/** Asked again for one that is approved, it is the answer. INVALID_STATE for its proposer, or while a later one is approved. */
export const approveStatementMapping = defineRpc({
  subject: 'rpc.reconciler.approve-statement-mapping.v1',
  owner: 'reconciler',
  request: z.object({ provider: z.string().max(60), version: z.int().min(1), operator: z.string().max(200) }),
  reply: z.object({ mapping: statementMappingSchema }),
});

/** The mappings of a provider, the latest first. */
export const listStatementMappings = defineRpc({
  subject: 'rpc.reconciler.list-statement-mappings.v1',
  owner: 'reconciler',
  request: z.object({ provider: z.string().max(60) }),
  reply: z.object({ mappings: z.array(statementMappingSchema) }),
});
