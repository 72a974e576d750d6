import { z } from 'zod';
import {
  exportFailureSchema,
  exportFormatSchema,
  exportKindSchema,
  exportStatusSchema,
} from '@gateway/contracts/exports';
import { environmentSchema } from '@gateway/contracts/values';
import { currencySchema } from '@gateway/money';
import { count, minorUnits, objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';

/** The members that an export has in every contract, before and after its balances. */
const exportMembers = {
  head: {
    id: recordId('export', 'The id of the export.'),
    object: objectName('export'),
    external_id: text("The merchant's own reference, from the creating call.", 'january'),
    kind: exportKindSchema.describe('What the file has.'),
    format: exportFormatSchema.describe('How the file is written.'),
    currency: currencySchema.describe('The currency of the file.'),
    from: text('The first day, in `timezone`.', '2026-01-01'),
    to: text('The last day, in `timezone`.', '2026-01-31'),
    timezone: text('The time zone whose days these are.', 'America/Sao_Paulo'),
    status: exportStatusSchema.describe('Where the export is.'),
    reason: exportFailureSchema.nullable().describe('Why it is FAILED; null otherwise.'),
    rows: count('How many movements or records the file has; null until it is COMPLETED.', 5).nullable(),
  },
  tail: {
    sha256: text(
      'SHA-256 of the file, in hex; null until it is COMPLETED.',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ).nullable(),
    checkpoint: text(
      'A signed checkpoint of the ledger that has every movement of the file; null where there is none.',
      'gateway.example/ledger/live.0\n4\n8mFhY2U=\n',
    ).nullable(),
    download_url: text(
      'Where the file is, without key headers; each reading of the export has a new link for 15 minutes. Null unless ' +
        'there is a file, and in events.',
      'https://gateway.example/exports/exp_01k9z3m4v6t8x0a2c4e6g8jk01/token',
    ).nullable(),
    expires_at: unixSeconds('Until when the file is kept, seven days; null until it is COMPLETED.').nullable(),
    environment: environmentSchema.describe('The environment of the key.'),
    created_at: unixSeconds('When it was asked for.'),
    completed_at: unixSeconds('When the file was complete; null until then.').nullable(),
  },
} as const;

const balanceOf = (end: string) =>
  minorUnits(`The available balance at the ${end} of the period, of statements and settlements; else null.`).nullable();
const openingBalance = balanceOf('beginning');
const closingBalance = balanceOf('end');

const meta = { id: 'Export', description: 'A file of movements or records, written in the background.' };

/** An export in contract 0.1. */
export const exportResourceSchema = z
  .object({
    ...exportMembers.head,
    opening_cents: openingBalance,
    closing_cents: closingBalance,
    ...exportMembers.tail,
  })
  .meta(meta);
export type ExportResource = z.infer<typeof exportResourceSchema>;

/** The same in contract 1.0. */
export const exportResourceV1Schema = z
  .object({ ...exportMembers.head, opening: openingBalance, closing: closingBalance, ...exportMembers.tail })
  .meta(meta);
export type ExportResourceV1 = z.infer<typeof exportResourceV1Schema>;
