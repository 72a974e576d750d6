import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import {
  csvMappingSchema,
  itemKindSchema,
  statementFileFormatSchema,
  statementFileStateSchema,
  type StatementFile,
  type StatementLine,
  type StatementMapping,
  type StatementSummary,
} from '@gateway/contracts/reconciler';
import { currencySchema } from '@gateway/money';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { count, isoTime, minorUnits, objectName, recordId, text } from '#src/shared/members.ts';
import { onlyPage } from '#src/shared/page.ts';
import { booleanSchema, pageQuery } from '#src/shared/page-query.ts';

const providerSchema = requestText(1, 60);

/** Query of `POST /ops/statement-files`. */
export const statementFileUploadQuerySchema = z.strictObject({
  provider: providerSchema.describe('The live provider whose statement it is.'),
  format: statementFileFormatSchema.describe('`csv` needs an approved mapping of the provider.'),
  currency: currencySchema.default('BRL').describe('Of the account.'),
  dry_run: booleanSchema.default(false).describe('`true`: the file is read, and nothing of it is kept.'),
  account: requestText(1, 80)
    .optional()
    .describe(
      'The account that the file has, as the file writes it. Needed once where it is another name than that of the first ' +
        'file, as in another format: lines of two accounts must not be mixed.',
    ),
  mapping_version: z
    .string('must be a version')
    .regex(/^[1-9]\d{0,5}$/, 'must be a version')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 999_999 })
    .describe('The version of the mapping of a CSV, for a dry run of one that is not approved.'),
});

/** Query of `GET /ops/statement-files`. */
export const statementFilesQuerySchema = z.strictObject({
  ...pageQuery('statementFile'),
  provider: providerSchema.optional().describe('Only files of this provider.'),
  state: statementFileStateSchema.optional().describe('Only files in this state.'),
});

/** Query of `GET /ops/statement-mappings`. */
export const statementMappingsQuerySchema = z.strictObject({
  provider: providerSchema.describe('The provider whose mappings they are.'),
});

const { date, amount, e2e } = csvMappingSchema.shape;
const [signInAmount, signInColumn] = amount.shape.sign.unwrap().options;

/** A mapping as operators write it: a member that is misspelt is refused, and not left out. */
const csvMappingRequestSchema = csvMappingSchema
  .extend({
    date: date.strict().meta({ id: 'CsvMappingDate', description: 'When a movement was booked.' }),
    amount: amount
      .extend({
        sign: z
          .union([
            signInAmount,
            signInColumn
              .strict()
              .meta({ id: 'CsvMappingSign', description: 'A column with the direction of the money.' }),
          ])
          .default('amount')
          .describe('`amount` where debits have a minus, else the column with the direction.'),
      })
      .strict()
      .meta({ id: 'CsvMappingAmount', description: 'What was moved.' }),
    e2e: e2e
      .unwrap()
      .unwrap()
      .strict()
      .meta({ id: 'CsvMappingE2e', description: 'Where the id of a transfer is.' })
      .nullable()
      .default(null)
      .describe('Where the id of a transfer is; null where no column has it.'),
  })
  .strict()
  .meta({ id: 'CsvMapping', description: "Which column of a bank's CSV has what." });

/** Body of `POST /ops/statement-mappings`. */
export const statementMappingRequestSchema = z
  .strictObject({
    provider: providerSchema.describe('The live provider whose CSV it describes.'),
    mapping: csvMappingRequestSchema.describe('Which column has what.'),
    reason: operatorReasonSchema.describe('Why, for the operator who approves.'),
  })
  .meta({ id: 'StatementMappingRequest', description: 'How the CSV of a provider is to be read.' });

const day = (what: string) => text(what, '2026-01-02');

const summarySchema = z
  .object({
    account: text('The number of the account in the file; null where it has none.', '92678-1').nullable(),
    from_day: day('The first day of the file; null where it has none.').nullable(),
    to_day: day('The last day of the file.').nullable(),
    opening_cents: minorUnits('The balance before its lines; null where it has none.').nullable(),
    closing_cents: minorUnits('The balance after its lines; null where it has none.').nullable(),
    lines: count('Lines of the file that move money.'),
    new_lines: count('Of them, those that were in no file before.'),
  })
  .meta({ id: 'StatementSummary', description: 'What a file says about its lines.' });

const refusalSchema = z
  .object({
    line: count('The line of the file, from 1.'),
    field: text('The field within it.', 'debits (177-194)'),
    reason: text('What is wrong there.', 'are 7601 in the trailer, and 7600 in the file'),
  })
  .meta({ id: 'StatementRefusal', description: 'Where and why a file could not be read.' });

export const statementFileResourceSchema = z
  .object({
    id: recordId('statementFile', 'The id of the file.'),
    object: objectName('statement_file'),
    provider: text('The provider whose statement it is.', 'efi'),
    currency: currencySchema.describe('Of the account.'),
    format: statementFileFormatSchema.describe('How it is written.'),
    mapping_version: count('The version of the mapping of a CSV.').nullable(),
    state: statementFileStateSchema.describe(
      '`RECEIVED`: being imported. `IMPORTED`: each of its lines is there once. `REFUSED`: nothing of it was taken.',
    ),
    sha256: text('Of its bytes, in hexadecimal.', '0f'.repeat(32)),
    bytes: count('How many they are.'),
    summary: summarySchema.nullable().describe('What it says; null until it is imported.'),
    refusal: refusalSchema.nullable().describe('Why it was refused; null where it was not.'),
    uploaded_by: text('The operator who sent it.', 'ana'),
    received_at: isoTime('When it was complete.'),
  })
  .meta({ id: 'StatementFile', description: "A bank's statement as a file." });

const lineSchema = z
  .object({
    line: count('The line of the file in which it begins.'),
    booked_at: isoTime('When it was booked; of a file that knows days alone, when the day began.'),
    day: day('The local day.'),
    amount_cents: minorUnits('What was moved, negative when it went.'),
    kind: itemKindSchema.describe('What it is taken for.'),
    document: text("The bank's own number of it.", 'A1B2C3'),
    e2e_id: text('The end-to-end id of the transfer.', 'E12345678202601021004abcdef12345').nullable(),
    type: text("The bank's word for its kind.", 'CREDIT'),
    text: text("The bank's description.", 'PIX RECEBIDO'),
  })
  .meta({ id: 'StatementLine', description: 'A line of a file.' });

export const statementDryRunResourceSchema = z
  .object({
    object: objectName('statement_dry_run'),
    summary: summarySchema.describe('What the file says.'),
    lines: z.array(lineSchema).describe('Its first lines, as they would be imported.'),
  })
  .meta({ id: 'StatementDryRun', description: 'What a file would be.' });

/** With every member, those that were left out with what they are then. */
const mappingShownSchema = z.record(z.string(), z.unknown()).meta({ examples: [{ delimiter: ';', id: 'Documento' }] });

export const statementMappingResourceSchema = z
  .object({
    object: objectName('statement_mapping'),
    provider: text('The provider whose CSV it describes.', 'efi'),
    version: count('Counts up; the version approved last is used.'),
    state: z.enum(['DRAFT', 'APPROVED']).describe('A `DRAFT` is used in dry runs alone.'),
    mapping: mappingShownSchema.describe('Which column has what.'),
    proposed_by: text('The operator who proposed it.', 'ana'),
    approved_by: text('The operator who approved it.', 'bruno').nullable(),
    created_at: isoTime('When it was proposed.'),
    approved_at: isoTime('When it was approved.').nullable(),
  })
  .meta({ id: 'StatementMapping', description: 'How the CSV of a provider is read.' });

export const statementMappingsResourceSchema = z
  .object({ data: z.array(statementMappingResourceSchema).describe('The versions, the latest first.'), ...onlyPage })
  .meta({ id: 'StatementMappingList', description: 'How the CSV of a provider is read, and was.' });

function presentSummary(summary: StatementSummary): z.infer<typeof summarySchema> {
  return {
    account: summary.account,
    from_day: summary.fromDay,
    to_day: summary.toDay,
    opening_cents: summary.openingCents,
    closing_cents: summary.closingCents,
    lines: summary.lines,
    new_lines: summary.newLines,
  };
}

export function presentStatementFile(file: StatementFile): z.infer<typeof statementFileResourceSchema> {
  const { mappingVersion, uploadedBy, receivedAt, summary, id, ...rest } = file;
  return {
    id,
    object: 'statement_file',
    ...rest,
    mapping_version: mappingVersion,
    summary: summary && presentSummary(summary),
    uploaded_by: uploadedBy,
    received_at: receivedAt,
  };
}

export function presentStatementDryRun(dryRun: {
  readonly summary: StatementSummary;
  readonly lines: readonly StatementLine[];
}): z.infer<typeof statementDryRunResourceSchema> {
  const lines = dryRun.lines.map(({ bookedAt, amountCents, e2eId, ...rest }) => {
    return { ...rest, booked_at: bookedAt, amount_cents: amountCents, e2e_id: e2eId };
  });
  return { object: 'statement_dry_run', summary: presentSummary(dryRun.summary), lines };
}

export function presentStatementMapping(mapping: StatementMapping): z.infer<typeof statementMappingResourceSchema> {
  const { proposedBy, approvedBy, createdAt, approvedAt, ...rest } = mapping;
  return {
    object: 'statement_mapping',
    ...rest,
    proposed_by: proposedBy,
    approved_by: approvedBy,
    created_at: createdAt,
    approved_at: approvedAt,
  };
}
