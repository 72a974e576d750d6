import { z } from 'zod';
import {
  ledgerEntryTypeSchema,
  ledgerRefTypeSchema,
  type LedgerEntry,
  type StatementRecord,
} from '@gateway/contracts/ledger';
import { currencies, currencySchema, decimalText, idTimeMs, type Currency } from '@gateway/money';
import type { ZoneClock } from '#src/shared/zoned-time.ts';

const decimalSchema = z.string().describe('decimal, with a point: `1234.50`');

/** A row of the accounting statement (`format=accounting`): the same in every contract. Its members are the columns in CSV. */
export const accountingRowSchema = z.object({
  booked_at: z.string().describe('ISO 8601 with the offset of `zone`'),
  local_date: z.string().describe('the date in `zone`'),
  entry_id: z.string(),
  type: ledgerEntryTypeSchema,
  record_type: ledgerRefTypeSchema,
  record_id: z.string(),
  external_id: z.string().nullable().describe("the merchant's own reference of the record"),
  e2e_id: z.string().nullable().describe('of the transfer on the rail; of a refund, that of the return'),
  counterparty_name: z.string().nullable().describe('who paid, or was paid'),
  counterparty_document: z.string().nullable().describe("a payer's is masked"),
  currency: currencySchema,
  gross: decimalSchema.nullable().describe('what moved before our fee, signed'),
  fee: decimalSchema.nullable().describe('our fee; negative where it is given back'),
  net: decimalSchema.describe('gross − fee: by how much the available balance changed'),
  balance_after: decimalSchema.describe('the available balance after it'),
});
export type AccountingRow = z.infer<typeof accountingRowSchema>;

export const accountingColumns = Object.keys(accountingRowSchema.shape) as readonly (keyof AccountingRow)[];

/** What a row has beside the entry itself. */
export interface EntryDetails {
  /** Undefined where its owner has no such record. */
  readonly record: Omit<StatementRecord, 'id'> | undefined;
  /** What was credited of a deposit, in minor units: gross, and the fee. */
  readonly credit: { readonly amount: number; readonly fee: number } | undefined;
}

/** Gross and fee are null where it is not known what was credited of a deposit. */
export function presentAccountingRow(
  entry: LedgerEntry,
  { record, credit }: EntryDetails,
  clock: ZoneClock,
): AccountingRow {
  const atMs = idTimeMs(entry.id);
  const fee = feeOf(entry, credit);
  const decimal = (minorUnits: number) => signedDecimal(minorUnits, entry.currency);
  return {
    booked_at: clock.isoTime(atMs),
    local_date: clock.dateOf(atMs),
    entry_id: entry.id,
    type: entry.type,
    record_type: entry.refType,
    record_id: entry.refId,
    external_id: record?.externalId ?? null,
    e2e_id: record?.e2eId ?? null,
    counterparty_name: record?.counterparty?.name ?? null,
    counterparty_document: record?.counterparty?.document ?? null,
    currency: entry.currency,
    gross: fee === null ? null : decimal(entry.amount + fee),
    fee: fee === null ? null : decimal(fee),
    net: decimal(entry.amount),
    balance_after: decimal(entry.balanceAfter),
  };
}

/** A payout's fee is an entry of its own; that of a deposit is in what was credited. */
function feeOf(entry: LedgerEntry, credit: EntryDetails['credit']): number | null {
  switch (entry.type) {
    case 'PAYOUT_FEE':
    case 'PAYOUT_FEE_REVERSAL':
      return -entry.amount;
    case 'DEPOSIT_NET':
      return credit !== undefined && credit.amount - credit.fee === entry.amount ? credit.fee : null;
    case 'PAYOUT':
    case 'PAYOUT_REVERSAL':
    case 'PAYOUT_RETURN':
    case 'DEPOSIT_REFUND':
    case 'MED_BLOCK':
    case 'MED_RELEASE':
    case 'CONVERSION':
    case 'ADJUSTMENT':
      return 0;
  }
}

function signedDecimal(minorUnits: number, currency: Currency): string {
  return `${minorUnits < 0 ? '-' : ''}${decimalText(Math.abs(minorUnits), currencies[currency])}`;
}
