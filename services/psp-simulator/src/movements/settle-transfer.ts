import type { Tx } from '@gateway/persistence';
import type { DialectName } from '#src/account/charge.ts';
import type { Transfer } from '#src/account/transfer.ts';
import { announce } from '#src/bank/announce.ts';
import type { Dialects } from '#src/bank/bank.ts';

const usualFailure = 'AC03';

/** Ends a transfer as it was planned, or with the result that is given. */
export async function settleTransfer(
  tx: Tx,
  dialects: Dialects,
  { transfer, result, now }: { readonly transfer: Transfer; readonly result?: 'paid' | 'failed'; readonly now: Date },
): Promise<void> {
  const failed = result ? result === 'failed' : transfer.plan === 'failed';
  const failureCode = failed ? usualFailure : null;
  const status = failed ? 'FAILED' : 'PAID';
  await tx.sql('update transfer set status = $2, failure_code = $3, settled_at = $4, settle_at = null where id = $1', [
    ...[transfer.id, status, failureCode, now],
  ]);
  const settled: Transfer = { ...transfer, status, failureCode, settledAt: now };
  await announce(tx, dialects, { kind: 'transfer', transfer: settled, returns: [], at: now });
  if (failed || result) return;
  const half = Math.floor(settled.amount / 2);
  const { returnsInParts } = dialects[transfer.dialect as DialectName];
  if (settled.plan === 'returned_in_parts' && returnsInParts) {
    await returnTransfer(tx, dialects, { transfer: settled, amount: half, now });
    await returnTransfer(tx, dialects, { transfer: settled, amount: settled.amount - half, now });
  }
  if (settled.plan === 'returned' || (settled.plan === 'returned_in_parts' && !returnsInParts))
    await returnTransfer(tx, dialects, { transfer: settled, amount: settled.amount, now });
}

/** The receiver's bank sends a part of a paid transfer back. */
export async function returnTransfer(
  tx: Tx,
  dialects: Dialects,
  { transfer, amount, now }: { readonly transfer: Transfer; readonly amount: number; readonly now: Date },
): Promise<string> {
  const id = dialects[transfer.dialect as DialectName].returnId(now);
  await tx.sql('insert into transfer_return (transfer_id, return_id, amount, returned_at) values ($1, $2, $3, $4)', [
    ...[transfer.id, id, amount, now],
  ]);
  const returns = [{ returnId: id, amount, returnedAt: now }];
  await announce(tx, dialects, { kind: 'transfer-return', transfer, returns, at: now });
  return id;
}
