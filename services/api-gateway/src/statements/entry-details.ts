import { getDepositRecords } from '@gateway/contracts/deposits';
import {
  getLedgerRecords,
  type LedgerEntry,
  type LedgerRefType,
  type StatementRecord,
} from '@gateway/contracts/ledger';
import { getPayoutRecords } from '@gateway/contracts/payouts';
import type { Environment } from '@gateway/contracts/values';
import { callRpc, type Askable } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import type { EntryDetails } from '@gateway/public-api';
import { AdjustmentEntity } from '#src/proposals/adjustment.ts';

/** Everything is looked up as this account's, in this environment. */
export interface Owner {
  readonly environment: Environment;
  readonly accountId: string;
}

interface Sources {
  readonly bus: Askable;
  readonly database: Database;
}

/**
 * What the owners of the records behind a page of entries know of them, each asked once. When one does not answer, the
 * page fails: a statement with columns left out would be taken for a whole one.
 *
 * @throws DomainError SERVICE_UNAVAILABLE
 */
export async function readEntryDetails(
  { bus, database }: Sources,
  owner: Owner,
  entries: readonly LedgerEntry[],
): Promise<(entry: LedgerEntry) => EntryDetails> {
  const idsOf = (...types: LedgerRefType[]) => [
    ...new Set(entries.filter(({ refType }) => types.includes(refType)).map(({ refId }) => refId)),
  ];
  const [held, paidOut, own, adjustments] = await Promise.all([
    ask(idsOf('deposit', 'refund', 'dispute'), async (ids) => await callRpc(bus, getDepositRecords, { ...owner, ids })),
    ask(idsOf('payout'), async (ids) => await callRpc(bus, getPayoutRecords, { ...owner, ids })),
    ask(idsOf('deposit', 'conversion'), async (ids) => await callRpc(bus, getLedgerRecords, { ...owner, ids })),
    ask(idsOf('adjustment'), async (ids) => await readAdjustments(database, owner, ids)),
  ]);
  const found = [held, paidOut, own, adjustments].flatMap((answer) => answer?.records ?? []);
  const records = new Map(found.map((record) => [record.id, record]));
  const credits = new Map(own?.credits.map((credit) => [credit.depositId, credit]));
  return ({ refId }) => ({ record: records.get(refId), credit: credits.get(refId) });
}

/** No question is sent where there is nothing to ask for. */
async function ask<Reply>(ids: string[], read: (ids: string[]) => Promise<Reply>): Promise<Reply | undefined> {
  return ids.length === 0 ? undefined : await read(ids);
}

async function readAdjustments(
  database: Database,
  { environment, accountId }: Owner,
  ids: string[],
): Promise<{ records: StatementRecord[] }> {
  const found = await database.reader().find(AdjustmentEntity, { environment, accountId, id: { $in: ids } });
  return { records: found.map(({ id, externalId }) => ({ id, externalId, e2eId: null, counterparty: null })) };
}
