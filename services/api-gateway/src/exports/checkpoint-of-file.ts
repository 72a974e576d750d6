import { DomainError } from '@gateway/contracts/errors';
import { getCheckpoint, getReceipt } from '@gateway/contracts/ledger';
import { callRpc, type Askable } from '@gateway/messaging';
import { idTimeMs, isId } from '@gateway/money';
import type { ExportEntity } from '#src/exports/export.ts';
import type { Progress } from '#src/exports/progress.ts';

/** The ledger has one shard per environment. */
const ledgerShard = 0;
/** What is in no checkpoint by then is not signed for a reason that the ledger reports; the file does not wait for it. */
const signedWithinMs = 600_000;

/**
 * A signed checkpoint that has every movement of a file, so that the file can be held against the ledger; the newest one for
 * a file without movements. Null where nothing was signed.
 *
 * @throws DomainError SERVICE_UNAVAILABLE while the last movement is in no checkpoint, which is about a minute
 */
export async function checkpointOfFile(
  bus: Askable,
  { environment, accountId }: Pick<ExportEntity, 'environment' | 'accountId'>,
  { cursor }: Pick<Progress, 'cursor'>,
): Promise<string | null> {
  if (cursor !== null && isId('ledgerEntry', cursor)) {
    const { receipt } = await callRpc(bus, getReceipt, { environment, accountId, entryId: cursor });
    if (receipt) return receipt.checkpoint;
    if (Date.now() - idTimeMs(cursor) < signedWithinMs) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'the last movement is in no checkpoint yet');
    }
  }
  return (await callRpc(bus, getCheckpoint, { environment, shard: ledgerShard })).checkpoint;
}
