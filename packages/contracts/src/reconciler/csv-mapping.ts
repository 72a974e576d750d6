import { z } from 'zod';
import { currencySchema } from '@gateway/money';

const column = z.string().trim().min(1).max(100);

/**
 * A pattern that is compared in one pass: characters and classes, each with a fixed number of repetitions. With `+`, `*` or
 * alternatives a text could make it take for ever.
 */
const boundedPattern = /^(?:(?:\[[A-Za-z0-9-]+\]|\\[dw]|[A-Za-z0-9])(?:\{\d{1,2}\})?)+$/;

const pattern = z
  .string()
  .max(100)
  .regex(boundedPattern, 'characters, [classes], \\d and \\w, each with an optional {number}')
  .refine(isRegularExpression, 'is no pattern');

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text).source !== '';
  } catch {
    return false;
  }
}

function isZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const csvDateFormats = [
  'YYYY-MM-DD',
  'YYYY-MM-DD HH:mm',
  'YYYY-MM-DD HH:mm:ss',
  'DD/MM/YYYY',
  'DD/MM/YYYY HH:mm',
  'DD/MM/YYYY HH:mm:ss',
  'DD-MM-YYYY',
  'DD.MM.YYYY',
  'YYYYMMDD',
  'ISO',
] as const;

/** Which column of a bank's CSV has what. */
export const csvMappingSchema = z
  .object({
    encoding: z.enum(['utf-8', 'latin-1']).default('utf-8').describe('How the bytes of the file are read.'),
    delimiter: z.enum([',', ';', '|', '\t']).default(',').describe('What stands between two columns.'),
    header_line: z.int().min(1).max(50).default(1).describe('The line with the names of the columns.'),
    date: z
      .object({
        column: column.describe('The column that has it.'),
        format: z.enum(csvDateFormats).describe('`ISO` is a moment with its offset.'),
        zone: z.string().max(60).refine(isZone, 'is no IANA time zone').describe('Whose days these are.'),
      })
      .describe('When a movement was booked.'),
    amount: z
      .object({
        column: column.describe('The column that has it.'),
        decimal: z.enum(['.', ',']).describe('What stands before the decimals.'),
        sign: z
          .union([
            z.literal('amount'),
            z
              .object({
                column: column.describe('The column that says which way.'),
                credit: z.array(z.string().max(40)).min(1).max(5).describe('What it has for money that came.'),
                debit: z.array(z.string().max(40)).min(1).max(5).describe('What it has for money that went.'),
              })
              .describe('A column that says which way the money went.'),
          ])
          .default('amount')
          .describe('`amount` where debits have a minus, else the column that says so.'),
      })
      .describe('What was moved.'),
    currency: currencySchema.default('BRL').describe('Of all amounts.'),
    id: column.nullable().default(null).describe("The column with the bank's own id of a movement."),
    type: column.nullable().default(null).describe('The column with the kind of a movement.'),
    text: column.nullable().default(null).describe('The column with its description.'),
    e2e: z
      .object({
        column: column.describe('The column that has it.'),
        pattern: pattern.default('[ED]\\d{20}\\w{11}').describe('What the id looks like within the column.'),
      })
      .nullable()
      .default(null)
      .describe('Where the id of a transfer is.'),
    balance: column.nullable().default(null).describe('The column with the balance after a movement.'),
  })
  .describe("Which column of a bank's CSV has what.");
export type CsvMapping = z.output<typeof csvMappingSchema>;
