import type { Tx } from '@gateway/persistence';
import type { ChargeReceipt } from '@gateway/providers';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { recordedName } from '#src/deposit/receipt-name.ts';

const tables = ['transfer', 'orphan_receipt', 'payment'] as const;

/**
 * A payment that was recorded when its tracking key was its only name takes the provider's id, so that it does not count
 * again under it. Only a record of the same deposit and amount is that payment: another bank may have given out the same
 * tracking key, also to another payer of this charge.
 *
 * @param deposit locked in `tx`, and both names of the receipt as well
 */
export async function adoptEarlierRecord(tx: Tx, deposit: DepositRow, receipt: ChargeReceipt): Promise<void> {
  const { e2eId, trackingKey } = recordedName(receipt);
  if (trackingKey === null) return;
  const { environment, provider, id: depositId } = deposit;
  const earlier = [environment, provider, trackingKey, depositId, e2eId];
  // In SQL alone: what the unit of work has read keeps the name that it was read under.
  const [found] = await tx.sql<{ amount: number }>(
    `select amount from transfer
     where environment = $1 and provider = $2 and e2e_id = $3 and tracking_key is null and deposit_id = $4
       and not exists (select from transfer where environment = $1 and provider = $2 and e2e_id = $5)
     union all
     select amount from orphan_receipt
     where environment = $1 and provider = $2 and e2e_id = $3 and tracking_key is null and deposit_id = $4
       and not exists (select from orphan_receipt where environment = $1 and provider = $2 and e2e_id = $5)`,
    earlier,
  );
  if (found?.amount !== receipt.money.amount) return;
  for (const table of tables) {
    await tx.sql(
      `update ${table} set e2e_id = $5, tracking_key = $3
       where environment = $1 and provider = $2 and e2e_id = $3 and tracking_key is null and deposit_id = $4`,
      earlier,
    );
  }
}
