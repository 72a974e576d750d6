import { isId, NotFoundError, type Environment } from '@gateway/contracts';
import type { Database } from '@gateway/service-kit';
import { publicStatus } from '#src/payout/life-cycle.ts';
import type { PayoutTable } from '#src/payout/payout-table.ts';
import { PayoutEntity, type PayoutRow } from '#src/payout/payout-entity.ts';

export interface PayoutKey {
  readonly environment: Environment;
  readonly accountId: string;
  readonly id: string;
}

/** @throws NotFoundError also for the payouts of others, and for one that is not visible yet */
export async function findPayout(database: Database, { environment, accountId, id }: PayoutKey): Promise<PayoutRow> {
  if (!isId('payout', id)) throw new NotFoundError('payout');
  const payout = await database.reader().findOne(PayoutEntity, { environment, accountId, id });
  if (!payout || publicStatus(payout.state) === null) throw new NotFoundError('payout');
  return payout;
}

/** For operators and providers, who name a payout by its id alone. @throws NotFoundError also for one not visible yet */
export async function findPayoutById(payouts: PayoutTable, id: string): Promise<PayoutRow> {
  const payout = isId('payout', id) ? await payouts.findById(id) : undefined;
  if (!payout || publicStatus(payout.state) === null) throw new NotFoundError('payout');
  return payout;
}
