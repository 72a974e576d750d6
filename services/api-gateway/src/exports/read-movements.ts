import { getBalance, listEntries, type LedgerEntry } from '@gateway/contracts/ledger';
import { idTimeMs } from '@gateway/money';
import { callRpc, type Askable } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { feeOfEntry, type EntryDetails } from '@gateway/public-api';
import { totalsAfter, type WrittenMovement } from '@gateway/statement-files/write';
import { settledAfterMs } from '#src/exports/create-export.ts';
import { periodOf, type ExportEntity } from '#src/exports/export.ts';
import type { Progress } from '#src/exports/progress.ts';
import { readEntryDetails } from '#src/statements/entry-details.ts';

const pageEntries = 200;

export interface ExportSources {
  readonly bus: Askable;
  readonly database: Database;
}

/** The movements do not lead from the opening to the closing balance: the file must not be given to anybody. */
export class DoesNotAddUpError extends Error {}

/** Where a file begins: the balances at both ends of its period, as the ledger has them now. */
export async function beginMovements(
  { bus }: ExportSources,
  row: ExportEntity,
  now: Date,
): Promise<Pick<Progress, 'toMs' | 'opening' | 'closing' | 'balance'>> {
  const period = periodOf(row);
  const toMs = Math.min(period.toMs, Math.floor((now.getTime() - settledAfterMs) / 1_000) * 1_000);
  const opening = await balanceBefore(bus, row, Math.min(period.fromMs, toMs));
  const closing = await balanceBefore(bus, row, toMs);
  return { toMs, opening, closing, balance: opening };
}

/** The available balance as the last entry before a moment left it. */
async function balanceBefore(bus: Askable, row: ExportEntity, atMs: number): Promise<number> {
  const { environment, accountId, currency } = row;
  const { balances } = await callRpc(bus, getBalance, { environment, accountId, at: atMs / 1_000 - 1 });
  return balances.find((balance) => balance.currency === currency)?.available ?? 0;
}

/**
 * The next page of movements, and the progress after it.
 *
 * @throws DoesNotAddUpError when one of them is not the balance before it and its amount
 */
export async function readMovements(
  { bus, database }: ExportSources,
  row: ExportEntity,
  progress: Progress,
): Promise<{ readonly movements: readonly WrittenMovement[]; readonly after: Progress }> {
  const { environment, accountId, currency } = row;
  const owner = { environment, accountId };
  const { fromMs } = periodOf(row);
  const { entries, nextCursor } = await callRpc(bus, listEntries, {
    ...owner,
    currency,
    from: fromMs / 1_000,
    to: Math.max(fromMs, progress.toMs) / 1_000,
    order: 'asc',
    limit: pageEntries,
    ...(progress.cursor === null ? {} : { cursor: progress.cursor }),
  });
  const balance = entries.reduce(followed, progress.balance ?? 0);
  const detailsOf = await readEntryDetails({ bus, database }, owner, entries);
  const movements = entries.map((entry) => toMovement(entry, detailsOf(entry)));
  const after = {
    ...progress,
    cursor: entries.at(-1)?.id ?? progress.cursor,
    isRead: nextCursor === null,
    totals: totalsAfter(progress.totals, movements),
    balance,
  };
  return { movements, after };
}

function followed(balance: number, { id, amount, balanceAfter }: LedgerEntry): number {
  if (balance + amount === balanceAfter) return balanceAfter;
  throw new DoesNotAddUpError(`${balance} and ${amount} of ${id} are not ${balanceAfter}`);
}

/**
 * What was read is all there is: it leads to the closing balance, and the ledger still has the balances that the file
 * began with.
 *
 * @throws DoesNotAddUpError
 */
export async function requireClosing({ bus }: ExportSources, row: ExportEntity, progress: Progress): Promise<void> {
  const { balance, closing, toMs } = progress;
  if (balance !== closing) throw new DoesNotAddUpError(`the movements lead to ${balance}, the balance is ${closing}`);
  const now = await balanceBefore(bus, row, toMs);
  if (now !== closing) throw new DoesNotAddUpError(`the closing balance was ${closing} and is ${now}`);
}

function toMovement(entry: LedgerEntry, { record, credit }: EntryDetails): WrittenMovement {
  const fee = feeOfEntry(entry, credit);
  return {
    entryId: entry.id,
    bookedAtMs: idTimeMs(entry.id),
    type: entry.type,
    recordId: entry.refId,
    externalId: record?.externalId ?? null,
    e2eId: record?.e2eId ?? null,
    gross: fee === null ? null : entry.amount + fee,
    fee,
    net: entry.amount,
    balanceAfter: entry.balanceAfter,
    counterparty: record?.counterparty ?? null,
  };
}
