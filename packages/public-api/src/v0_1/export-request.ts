import { z } from 'zod';
import { camtVersionSchema, exportFormatSchema, exportKindSchema } from '@gateway/contracts/exports';
import { externalIdSchema } from '@gateway/contracts/values';
import { requestCurrencySchema } from '#src/shared/request-currency.ts';
import { dateSchema, zoneQuerySchema } from '#src/shared/time-query.ts';

const settlementDaysMax = 31;
const periodDaysMax = 366;
const msPerDay = 86_400_000;

/** Body of `POST /v1/exports`; the same in every contract. */
export const exportRequestSchema = z
  .strictObject({
    kind: exportKindSchema.describe('What the file is to have.'),
    format: exportFormatSchema.describe('How it is to be written; every kind comes as `csv`.'),
    currency: requestCurrencySchema.describe('The currency: a file has one.'),
    from: dateSchema.describe('The first day (YYYY-MM-DD), from its midnight on in `timezone`.'),
    to: dateSchema.describe('The last day (YYYY-MM-DD), which belongs to it.'),
    timezone: zoneQuerySchema.nullish().describe('The IANA time zone of the days.'),
    raw: z
      .boolean()
      .nullish()
      .describe("CSV with texts as they are, for programs; without it, texts that a spreadsheet would run get a `'`."),
    camt_version: camtVersionSchema
      .nullish()
      .describe('Of camt.053, for a program that takes one version alone; `08` without it.'),
    external_id: externalIdSchema.describe('Your reference; a second call with it answers with the same export.'),
  })
  .superRefine(({ kind, format, from, to, camt_version: camtVersion }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const days = (Date.parse(to) - Date.parse(from)) / msPerDay + 1;
    const daysMax = kind === 'settlement' ? settlementDaysMax : periodDaysMax;
    if (days < 1) refuse('to', 'must not be before from');
    if (days > daysMax) refuse('to', `must be at most ${daysMax} days from the beginning of from`);
    if (kind !== 'statement' && format !== 'csv') refuse('format', `must be csv for ${kind}`);
    if (camtVersion && format !== 'camt053') refuse('camt_version', `is of camt053, and not of ${format}`);
  })
  .meta({ id: 'ExportCreate', description: 'A file to be written.' });
export type ExportRequest = z.output<typeof exportRequestSchema>;
