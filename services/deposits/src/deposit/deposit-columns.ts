import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';

/** Names of a deposit's properties, in one order for every statement. */
export const depositMembers = Object.keys(DepositEntity.meta.properties) as (keyof DepositRow)[];

/** Columns that are not text. */
const columnTypes: Partial<Record<keyof DepositRow, string>> = {
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

/** The properties with the types of their columns, as `json_to_recordset` needs them. */
export const typedDeposit = depositMembers.map((member) => `"${member}" ${columnTypes[member] ?? 'text'}`).join(', ');

export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
