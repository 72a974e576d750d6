import { z } from 'zod';
import {
  itemKindSchema,
  matchRuleSchema,
  matchStateSchema,
  statementDayStateSchema,
  type ProviderLine,
  type StatementDay,
} from '@gateway/contracts/reconciler';
import { requestText } from '@gateway/contracts/values';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { count, isoTime, minorUnits, objectName, text } from '#src/shared/members.ts';
import { csvQuery, pageLimit } from '#src/shared/page-query.ts';

const providerFilter = requestText(1, 60).optional();
const amountMessage = 'must be an amount in minor units';
const stateSchema = matchStateSchema.meta({
  id: 'MatchState',
  description:
    '`waiting`: a side is missing, and its time has not run out. `matched`: every side is there with the same amount. ' +
    '`unexplained`: there is an exception for it. `proposed`, `resolved`: by operators.',
});

/** Query of `GET /ops/lines`. */
export const linesQuerySchema = z.strictObject({
  limit: pageLimit,
  cursor: requestText(1, 2_000).optional().describe('`next_cursor` of the page before.'),
  ...csvQuery,
  provider: providerFilter.describe('Only lines of this provider.'),
  state: stateSchema.optional().describe('Only lines whose match is in this state.'),
  e2e_id: requestText(1, 64).optional().describe('Only lines with this end-to-end id.'),
  amount_cents: z
    .string(amountMessage)
    .regex(/^-?\d{1,15}$/, amountMessage)
    .transform(Number)
    .optional()
    .meta({ type: 'integer' })
    .describe('Only lines of this amount, signed, in the smallest unit.'),
});

/** Query of `GET /ops/statement-days`. */
export const statementDaysQuerySchema = z.strictObject({
  limit: pageLimit,
  cursor: requestText(1, 200).optional().describe('The id of the last day received: the page after it.'),
  ...csvQuery,
  provider: providerFilter.describe('Only days of this provider.'),
});

export const providerLineResourceSchema = z
  .object({
    id: text('What names the line.', 'efi/BRL/efi:E12345678202601021004abcdef12345'),
    object: objectName('provider_line'),
    provider: text('The provider whose statement has it.', 'efi'),
    currency: text('The currency of the amount.', 'BRL'),
    line_key: text('What names it among the lines of the account.', 'efi:E12345678202601021004abcdef12345'),
    kind: itemKindSchema.describe('What it is taken for.'),
    amount_cents: minorUnits('What was moved, negative when it went.'),
    booked_at: isoTime('When the provider booked it.'),
    received_at: isoTime('When it came here.'),
    e2e_id: text('The end-to-end id.', 'E12345678202601021004abcdef12345').nullable(),
    return_id: text('The id of the return.', 'D12345678202601021004abcdef12345').nullable(),
    our_ref: text('Our reference at the provider.', '01k9z3m4v6t8x0a2c4e6g8jk01').nullable(),
    counterparty: text('The document of the other party.', '52998224725').nullable(),
    text: text("The provider's description.", 'PIX RECEBIDO').nullable(),
    source: z.enum(['list', 'file']).describe('Whether it came from a list or a file.'),
    file_id: text('The statement file it was read from.', 'stf_01k9z3m4v6t8x0a2c4e6g8jk01').nullable(),
    subject: text('What it was found to be about.', 'payment:dep_01k9z3m4v6t8x0a2c4e6g8jk01').nullable(),
    rule: matchRuleSchema.nullable().describe('By which key; `people`: two operators decided it.'),
    state: stateSchema.nullable().describe('How far it is explained.'),
    raw: text(
      'The line as the provider wrote it. Lists have the first 1,024 bytes; the whole line is in its exception.',
      '{"endToEndId":"…"}',
    ).nullable(),
    raw_bytes: count('How many bytes the provider has written.', 24).nullable(),
  })
  .meta({ id: 'ProviderLine', description: "A line of a provider's statement." });

/** Body of `POST /ops/statement-days/{provider}/{currency}/{day}/close`. */
export const closeStatementDayRequestSchema = z
  .strictObject({ reason: operatorReasonSchema.describe('Why it may be closed so, for the operator who approves.') })
  .meta({ id: 'CloseStatementDay', description: 'Why a day is closed with what is missing in it.' });

export const statementDayResourceSchema = z
  .object({
    id: text('What names the day.', 'efi/BRL/2026-01-02'),
    object: objectName('statement_day'),
    provider: text('The provider whose account it is.', 'efi'),
    currency: text('The currency of the account.', 'BRL'),
    day: text('The day, in São Paulo.', '2026-01-02').meta({ format: 'date' }),
    status: statementDayStateSchema.describe('`CLOSED`: it never changes again.'),
    opening_cents: minorUnits('The balance before the day.', 0),
    lines_cents: minorUnits('What was booked, with what came late for days that were closed.'),
    late_cents: minorUnits('The share of `lines_cents` that belongs to closed days.', 0),
    closing_cents: minorUnits('The balance after the day: opening and lines.'),
    provider_balance_cents: minorUnits(
      'By the provider at the end of the day; null where it was not known.',
    ).nullable(),
    unexplained_plus_cents: minorUnits('What came in and was not explained when the day was closed.', 0),
    unexplained_minus_cents: minorUnits('What went and was not explained when the day was closed.', 0),
    checkpoint: z
      .object({
        size: count('How many links of the live ledger it covers.', 4_711),
        root: text('The root of their tree, as the checkpoint has it.', 'Mf2W5zNBcXMqIzFn0PkeZ8vEmkCqrRnpfHGpLLWVXGQ='),
      })
      .meta({ id: 'StatementDayCheckpoint', description: 'A checkpoint of the live ledger.' })
      .nullable()
      .describe('The newest checkpoint of the live ledger when the day was closed; null where none was known.'),
    closed_at: isoTime('When it was closed.').nullable(),
    closed_by: text('The operators who closed it; `reconciler` when it agreed.', 'reconciler').nullable(),
  })
  .meta({ id: 'StatementDay', description: "A day of a provider's account." });

/** What names a line of any account. */
export function idOfLine({ provider, currency, lineKey }: Pick<ProviderLine, 'provider' | 'currency' | 'lineKey'>) {
  return `${provider}/${currency}/${lineKey}`;
}

export function presentProviderLine(line: ProviderLine): z.infer<typeof providerLineResourceSchema> {
  return {
    id: idOfLine(line),
    object: 'provider_line',
    provider: line.provider,
    currency: line.currency,
    line_key: line.lineKey,
    kind: line.kind,
    amount_cents: line.amount,
    booked_at: line.bookedAt,
    received_at: line.receivedAt,
    e2e_id: line.e2eId,
    return_id: line.returnId,
    our_ref: line.ourRef,
    counterparty: line.counterparty,
    text: line.text,
    source: line.source,
    file_id: line.fileId,
    subject: line.subject,
    rule: line.rule,
    state: line.state,
    raw: line.raw,
    raw_bytes: line.rawBytes,
  };
}

export function presentStatementDay(day: StatementDay): z.infer<typeof statementDayResourceSchema> {
  return {
    id: `${day.provider}/${day.currency}/${day.day}`,
    object: 'statement_day',
    provider: day.provider,
    currency: day.currency,
    day: day.day,
    status: day.state,
    opening_cents: day.opening,
    lines_cents: day.lines,
    late_cents: day.late,
    closing_cents: day.closing,
    provider_balance_cents: day.providerBalance,
    unexplained_plus_cents: day.unexplainedPlus,
    unexplained_minus_cents: day.unexplainedMinus,
    checkpoint: day.checkpoint,
    closed_at: day.closedAt,
    closed_by: day.closedBy,
  };
}
