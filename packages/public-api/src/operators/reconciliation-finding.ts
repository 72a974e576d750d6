import { z } from 'zod';
import { findingIdSchema, type ReconciliationFinding } from '@gateway/contracts/ledger';
import type { RecordLine } from '@gateway/contracts/reconciler';
import { environmentSchema, requestText } from '@gateway/contracts/values';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { idOfLine, providerLineResourceSchema } from '#src/operators/provider-line.ts';
import { objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';
import { csvQuery, pageLimit } from '#src/shared/page-query.ts';

const cursorMessage = 'must be the id of a finding';

/** Query of `GET /ops/reconciliations/{id}/checks/{name}/findings`. */
export const findingsQuerySchema = z.strictObject({
  limit: pageLimit,
  cursor: z
    .string(cursorMessage)
    .regex(/^(?:live|test)\.[1-9]\d{0,5}$/, cursorMessage)
    .optional()
    .describe('The id of the last finding received: the page after it.'),
  ...csvQuery,
  environment: environmentSchema.optional().describe('Only what was found in this environment.'),
});

/** Body of `POST /ops/reconciliations/{id}/sign-off`. */
export const signOffRequestSchema = z
  .strictObject({ reason: operatorReasonSchema.describe('What was found out about it, for those who read it later.') })
  .meta({ id: 'SignOffCreate', description: 'Why operators answer for a reconciliation.' });

/** Body of `POST /ops/reconciliations/{id}/checks/{name}/findings/{finding}/note`. */
export const findingNoteRequestSchema = z
  .strictObject({
    note: requestText(1, 2_000).describe('What was found out about it. It takes the place of a former note.'),
  })
  .meta({ id: 'FindingNoteCreate', description: 'What an operator has found out about a finding.' });

const noteSchema = z
  .object({
    text: text('What was found out.', 'the bank corrects it tomorrow'),
    by: text('The operator who wrote it.', 'ana'),
    at: unixSeconds('When it was written.', 1_767_348_100),
  })
  .meta({ id: 'FindingNote', description: 'What an operator has written beside a finding.' });

const findingLineSchema = providerLineResourceSchema
  .pick({ id: true, currency: true, amount_cents: true, booked_at: true, e2e_id: true, state: true })
  .meta({ id: 'FindingLine', description: "The line of a provider's statement in which a record is." });

export const findingResourceSchema = z
  .object({
    id: findingIdSchema.meta({ description: 'Its place among the findings of the check.', examples: ['live.1'] }),
    object: objectName('finding'),
    environment: environmentSchema.describe('Where it was found.'),
    kind: text('What is wrong.', 'balance_differs'),
    text: text('The same in words.', 'acc_01k9z3m4v6t8x0a2c4e6g8jk01 BRL: available 99, entries 100'),
    record_id: text('The record it is about.', 'dep_01k9z3m4v6t8x0a2c4e6g8jk01').nullable(),
    entry_id: recordId('ledgerEntry', 'The entry of the ledger it is about.').nullable(),
    account_id: recordId('account', 'Whose account it is about.').nullable(),
    provider: text(
      'The provider, or exchange, whose account it is about. Of a provider `GET /ops/lines?provider=` has the lines, and ' +
        '`GET /ops/exceptions?provider=` those that are not explained.',
      'efi',
    ).nullable(),
    currency: text('The currency of the amounts.', 'BRL').nullable(),
    expected: text('What follows from the rows; amounts in the smallest unit.', '100').nullable(),
    found: text('What is there instead; amounts in the smallest unit.', '99').nullable(),
    provider_line: findingLineSchema
      .nullable()
      .optional()
      .describe(
        "The line of the provider's statement in which the record is; null where there is none. Of several it is the first " +
          'that was booked. Only lists have it, and not while the reconciliation of statements does not answer.',
      ),
    note: noteSchema.nullable().describe('What an operator has written beside it.'),
  })
  .meta({ id: 'Finding', description: 'One thing that a check of a reconciliation found to be wrong.' });

/** @param line of the record that it is about; undefined where that was not asked for, or not answered */
export function presentFinding(
  finding: ReconciliationFinding,
  line?: RecordLine | null,
): z.infer<typeof findingResourceSchema> {
  const { id, environment, kind, provider, currency, expected, found, note } = finding;
  return {
    ...{ id, object: 'finding', environment, kind, text: finding.text },
    ...{ record_id: finding.recordId, entry_id: finding.entryId, account_id: finding.accountId },
    ...{ provider, currency, expected, found },
    ...(line === undefined ? {} : { provider_line: line && presentLine(line) }),
    note,
  };
}

function presentLine({ amount, bookedAt, e2eId, state, ...line }: RecordLine) {
  const { currency } = line;
  return { id: idOfLine(line), currency, amount_cents: amount, booked_at: bookedAt, e2e_id: e2eId, state };
}
