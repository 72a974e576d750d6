import type { PayoutCreate, PayoutKeyType } from '#src/generated/merchants/types.gen.ts';
import { findKeyType } from '#src/merchants/payouts/find-key-type.ts';
import { typedMinorUnits } from '#src/money/minor-units.ts';
import { readCsv } from '#src/records/read-csv.ts';

/** The columns of the file, in the order in which they are when it has no heading. */
export const columns = ['external_id', 'amount', 'key', 'name', 'document', 'key_type'] as const;
type ColumnName = (typeof columns)[number];

/** Of one proposal. */
export const rowsMax = 200;
const keyTypes: readonly string[] = ['cpf', 'cnpj', 'email', 'phone', 'random'] satisfies readonly PayoutKeyType[];
const currency = 'BRL';

export type RowFault = 'externalId' | 'twice' | 'amount' | 'key' | 'name' | 'document';

/** A row of the file, as it is read. */
export interface PayoutRow {
  /** Of the file, from 1. */
  readonly line: number;
  readonly typed: Readonly<Record<ColumnName, string>>;
  /** Undefined while something in it cannot be right. */
  readonly payout: PayoutCreate | undefined;
  readonly faults: readonly RowFault[];
}

/** Every row of a file of payouts, checked: nothing is made of any of them while one has a fault. */
export function readPayoutRows(file: string): readonly PayoutRow[] {
  const [first, ...others] = readCsv(file);
  if (!first) return [];
  const heading = first.map((cell) => cell.trim().toLowerCase());
  const hasHeading = heading.includes('external_id');
  const names: readonly string[] = hasHeading ? heading : columns;
  const rows = hasHeading ? others : [first, ...others];
  const offset = hasHeading ? 2 : 1;
  const typed = rows.map((cells) => {
    const cellOf = (name: ColumnName) => cells[names.indexOf(name)]?.trim() ?? '';
    return Object.fromEntries(columns.map((name) => [name, cellOf(name)])) as Record<ColumnName, string>;
  });
  const references = typed.map(({ external_id: reference }) => reference);
  return typed.map((row, index) => {
    const isTwice = references.indexOf(row.external_id) !== index;
    return checkRow(row, index + offset, isTwice);
  });
}

function checkRow(typed: PayoutRow['typed'], line: number, isTwice: boolean): PayoutRow {
  const amount = typedMinorUnits(typed.amount, currency);
  const found = keyTypes.includes(typed.key_type) ? (typed.key_type as PayoutKeyType) : findKeyType(typed.key);
  const digits = typed.document.replace(/\D/g, '');
  const faults: RowFault[] = [
    ...(typed.external_id === '' ? (['externalId'] as const) : []),
    ...(isTwice && typed.external_id !== '' ? (['twice'] as const) : []),
    ...(amount === undefined ? (['amount'] as const) : []),
    ...(found === undefined || typed.key === '' ? (['key'] as const) : []),
    ...(typed.name === '' ? (['name'] as const) : []),
    ...(digits.length === 11 || digits.length === 14 ? [] : (['document'] as const)),
  ];
  if (faults.length > 0 || amount === undefined || found === undefined) {
    return { line, typed, faults, payout: undefined };
  }
  const { external_id, key, name, document } = typed;
  const payout = { external_id, amount, payout_key: key, payout_key_type: found, recipient: { name, document } };
  return { line, typed, faults, payout };
}
