import { LockMode } from '@mikro-orm/core';
import { NotFoundError } from '@gateway/contracts/errors';
import type { Tx } from '@gateway/persistence';
import { Charge } from '#src/account/charge.ts';
import { transferColumns, type Transfer } from '#src/account/transfer.ts';

/** Found by txid or correlationID, and locked. @throws NotFoundError */
export async function chargeOf(tx: Tx, reference: string): Promise<Charge> {
  const [row] = await tx.sql<{ id: number }>(
    `select id from charge where reference = $1 or details ->> 'transactionID' = $1 order by id limit 1`,
    [reference],
  );
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const charge = row ? await tx.em.findOne(Charge, { id: row.id }, lock) : null;
  if (!charge) throw new NotFoundError('charge');
  return charge;
}

/** Locked. @throws NotFoundError */
export async function transferOf(tx: Tx, reference: string): Promise<Transfer> {
  const [transfer] = await tx.sql<Transfer>(
    `select ${transferColumns} from transfer t where t.reference = $1 order by t.id limit 1 for update`,
    [reference],
  );
  if (!transfer) throw new NotFoundError('transfer');
  return transfer;
}
