import type { Database } from '@gateway/persistence';
import { Charge } from '#src/account/charge.ts';

export async function findCharge(database: Database, dialect: string, reference: string): Promise<Charge | null> {
  return await database.reader().findOne(Charge, { dialect, reference });
}
