import type { Tx } from '@gateway/persistence';
import { payerIspb } from '#src/bank/bank.ts';
import { returnId } from '#src/bank/spi-ids.ts';
import { speiDialect, trackingKey } from '#src/spei/bank.ts';
import { announce } from '#src/notifications/announce.ts';
import type { Transfer } from '#src/transfers/transfer.ts';

const usualFailure = 'AC03';

/** Ends a transfer as it was planned, or as somebody says. */
export async function settleTransfer(
  tx: Tx,
  { transfer, result, now }: { readonly transfer: Transfer; readonly result?: 'paid' | 'failed'; readonly now: Date },
): Promise<void> {
  const failed = result ? result === 'failed' : transfer.plan === 'failed';
  const failureCode = failed ? usualFailure : null;
  const status = failed ? 'FAILED' : 'PAID';
  await tx.sql('update transfer set status = $2, failure_code = $3, settled_at = $4, settle_at = null where id = $1', [
    ...[transfer.id, status, failureCode, now],
  ]);
  const settled: Transfer = { ...transfer, status, failureCode, settledAt: now };
  await announce(tx, { happening: 'transfer', transfer: settled, returns: [], at: now });
  if (failed || result) return;
  const half = Math.floor(settled.amount / 2);
  if (settled.plan === 'returned_in_parts') {
    await returnTransfer(tx, { transfer: settled, amount: half, now });
    await returnTransfer(tx, { transfer: settled, amount: settled.amount - half, now });
  }
  if (settled.plan === 'returned') await returnTransfer(tx, { transfer: settled, amount: settled.amount, now });
}

/** The receiver's bank sends a part of a paid transfer back. */
export async function returnTransfer(
  tx: Tx,
  { transfer, amount, now }: { readonly transfer: Transfer; readonly amount: number; readonly now: Date },
): Promise<string> {
  const id = transfer.dialect === speiDialect ? trackingKey('DEV') : returnId(payerIspb, now);
  await tx.sql('insert into transfer_return (transfer_id, return_id, amount, returned_at) values ($1, $2, $3, $4)', [
    ...[transfer.id, id, amount, now],
  ]);
  const returns = [{ returnId: id, amount, returnedAt: now }];
  await announce(tx, { happening: 'transfer-return', transfer, returns, at: now });
  return id;
}
