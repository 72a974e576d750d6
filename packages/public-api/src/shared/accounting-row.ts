import { z } from 'zod';
import {
  ledgerEntryTypeSchema,
  ledgerRefTypeSchema,
  type LedgerEntry,
  type StatementRecord,
} from '@gateway/contracts/ledger';
import { currencies, currencySchema, decimalText, idTimeMs, type Currency } from '@gateway/money';
import { recordId, text } from '#src/shared/members.ts';
import type { ZoneClock } from '#src/shared/zoned-time.ts';

const decimalMember = (what: string, example: string) => text(`${what} Decimal, with a point.`, example);

/** A row of the accounting statement (`format=accounting`): the same in every contract. Its members are the columns in CSV. */
export const accountingRowSchema = z
  .object({
    booked_at: text('When it was written: ISO 8601 with the offset of `zone`.', '2026-01-02T07:04:37.250-03:00'),
    local_date: text('The date of that in `zone`.', '2026-01-02'),
    entry_id: recordId('ledgerEntry', 'The id of the entry.'),
    type: ledgerEntryTypeSchema.describe('What moved the money.'),
    record_type: ledgerRefTypeSchema.describe('The kind of record that it belongs to.'),
    record_id: text('The id of that record.', 'dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
    external_id: text("The merchant's own reference of the record.", 'order-1001').nullable(),
    e2e_id: text(
      'The id of the transfer on its rail; of a refund, that of the return.',
      'E12345678202601021004abcdef12345',
    ).nullable(),
    counterparty_name: text('Who paid, or was paid.', 'Maria Souza').nullable(),
    counterparty_document: text("Their tax document; a payer's is masked.", '***.456.789-**').nullable(),
    currency: currencySchema.describe('The currency of the amounts.'),
    gross: decimalMember('What moved before our fee, signed.', '19.90').nullable(),
    fee: decimalMember('Our fee; negative where it is given back.', '0.50').nullable(),
    net: decimalMember('By how much the available balance changed: gross without fee.', '19.40'),
    balance_after: decimalMember('The available balance after it.', '1940.00'),
  })
  .meta({ id: 'AccountingRow', description: 'A row of the accounting statement.' });
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
  const bookedAt = clock.isoTime(idTimeMs(entry.id));
  const fee = feeOfEntry(entry, credit);
  const decimal = (minorUnits: number) => signedDecimal(minorUnits, entry.currency);
  return {
    booked_at: bookedAt,
    local_date: bookedAt.slice(0, 10),
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

/** A payout's fee is an entry of its own; that of a deposit is in what was credited, and null where that is not known. */
export function feeOfEntry(entry: LedgerEntry, credit: EntryDetails['credit']): number | null {
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
