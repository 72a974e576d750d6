import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { EntityColumns, type Database } from '@gateway/persistence';

/** `ACTIVE` until paid or removed. No provider has a status "expired": that follows from creation and life time. */
export type ChargeStatus = 'ACTIVE' | 'COMPLETED' | 'REMOVED_BY_RECEIVER' | 'REMOVED_BY_PSP';

/** A charge as the simulated bank keeps it, whatever dialect it was asked for in. */
export const Charge = defineEntity({
  name: 'Charge',
  tableName: 'charge',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    dialect: p.string(),
    reference: p.string(),
    status: p.string().$type<ChargeStatus>(),
    revision: p.integer(),
    currency: p.string(),
    /** Minor units. */
    amount: p.bigint('number'),
    expiresInSec: p.integer(),
    /** Host and path of the charge's document, without scheme. */
    location: p.string(),
    brCode: p.string(),
    details: p.json<Record<string, unknown>>(),
    createdAt: p.datetime(),
  },
});
export type Charge = InferEntity<typeof Charge>;

export const chargeColumns = new EntityColumns<Charge>(Charge);

/** The languages the bank speaks; each has an account with charges, transfers and notifications of its own. */
export const dialectNames = ['bacen', 'efi', 'spei', 'woovi'] as const;
export type DialectName = (typeof dialectNames)[number];

const findStatement = `select ${chargeColumns.selectedFrom('charge')} from charge where dialect = $1 and reference = $2`;

export async function findCharge(database: Database, dialect: string, reference: string): Promise<Charge | null> {
  const [charge] = await database.query<Charge>(findStatement, [dialect, reference], 'find-charge');
  return charge ?? null;
}
