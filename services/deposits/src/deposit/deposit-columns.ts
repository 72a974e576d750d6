import { RowArrays, type ColumnType } from '@gateway/persistence';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';

/** Names of a deposit's properties, in one order for every statement. */
export const depositMembers = Object.keys(DepositEntity.meta.properties) as (keyof DepositRow)[];

/** Columns that are not text. */
const columnTypes: Partial<Record<keyof DepositRow, ColumnType>> = {
  amount: 'bigint',
  fee: 'bigint',
  refunded: 'bigint',
  received: 'bigint',
  feeSchedule: 'jsonb',
  payer: 'jsonb',
  payerDetails: 'jsonb',
  metadata: 'jsonb',
  retentionDays: 'integer',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  paidAt: 'timestamptz',
  creationDueAt: 'timestamptz',
};

/** All columns, under the names of the properties. */
export const selectedDeposit = depositMembers.map((member) => `deposit.${columnOf(member)} as "${member}"`).join(', ');

/** Deposits as the parameters of a statement. */
export const depositArrays = new RowArrays(
  depositMembers.map((member) => [member, columnTypes[member] ?? 'text'] as const),
);

export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
