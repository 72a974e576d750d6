import { NotFoundError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { publicStatus } from '#src/payout/life-cycle.ts';
import type { PayoutTable } from '#src/payout/payout-table.ts';
import { PayoutEntity, type PayoutRow } from '#src/payout/payout-entity.ts';

export interface PayoutKey {
  readonly environment: Environment;
  readonly accountId: string;
  readonly id: string;
}

/**
 * By the id, which nobody has before the payout is visible but for those who were answered 504 while its debit could not
 * be recorded, or who read that debit in their statement: to them it is there, whatever its state.
 *
 * @throws NotFoundError also for the payouts of others
 */
export async function findPayout(database: Database, { environment, accountId, id }: PayoutKey): Promise<PayoutRow> {
  if (!isId('payout', id)) throw new NotFoundError('payout');
  const payout = await database.reader().findOne(PayoutEntity, { environment, accountId, id });
  if (!payout) throw new NotFoundError('payout');
  return payout;
}

/** For operators and providers, who name a payout by its id alone. @throws NotFoundError also for one not visible yet */
export async function findPayoutById(payouts: PayoutTable, id: string): Promise<PayoutRow> {
  const payout = isId('payout', id) ? await payouts.findById(id) : undefined;
  if (!payout || publicStatus(payout.state) === null) throw new NotFoundError('payout');
  return payout;
}
