import { LockMode } from '@mikro-orm/core';
import type {
  listOrphanReceipts as listContract,
  OrphanReceipt,
  ReturnOutcome,
  retryOrphanReceipt as retryContract,
} from '@gateway/contracts/deposits';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { pageOf, readInTime, type Tx, wantedRecords } from '@gateway/persistence';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { receiptName } from '#src/deposit/receipt-name.ts';
import { UnknownCursorError } from '#src/errors.ts';
import { OrphanReceiptEntity, type OrphanReceiptRow, type OrphanState } from '#src/orphan-receipts/orphan-receipt.ts';
import { notBegun } from '#src/returns/return-record.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

/** Deposits of different accounts with one reference that are looked at. */
const namesakesMax = 1_000;
const underWay = { $in: ['RETURNING', 'BOOKING'] satisfies OrphanState[] };

/** Newest first by id, of all accounts and both environments: for operators. */
export async function listOrphanReceipts(
  { database }: RoutingDependencies,
  request: RequestOf<typeof listContract>,
): Promise<ReplyOf<typeof listContract>> {
  const { externalId, ...filter } = request;
  const { state, e2eId, cursor, limit } = filter;
  return await readInTime(database, async ({ em }) => {
    if (cursor !== undefined && (await em.count(OrphanReceiptEntity, { id: cursor })) === 0) {
      throw new UnknownCursorError('an orphan receipt');
    }
    const where = {
      $and: [
        ...wantedRecords('refund', filter),
        ...(externalId === undefined ? [] : [{ depositId: { $in: await depositsNamed(em, request) } }]),
        ...(state === undefined ? [] : [{ state: state === 'RETURNING' ? underWay : state }]),
        ...(e2eId === undefined ? [] : [{ $or: [{ e2eId }, { trackingKey: e2eId }, { returnId: e2eId }] }]),
      ],
    };
    const found = await em.find(OrphanReceiptEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 });
    const { rows: page, nextCursor } = pageOf(found, limit);
    return { receipts: page.map(toOrphanReceipt), nextCursor };
  });
}

/** Deposits with that reference; as many accounts may have used it as there are. */
async function depositsNamed(
  em: Pick<Tx['em'], 'find'>,
  { externalId, accountId, environment }: RequestOf<typeof listContract>,
): Promise<string[]> {
  const owned = Object.entries({ externalId, accountId, environment }).filter(([, value]) => value !== undefined);
  const found = await em.find(DepositEntity, Object.fromEntries(owned), { limit: namesakesMax });
  return found.map(({ id }) => id);
}

/** The record as operators see it: RETURNING until the ledger knows that it is back. */
export function toOrphanReceipt(row: OrphanReceiptRow): OrphanReceipt {
  const { id, environment, accountId, depositId, provider, cause, state, currency, amount, attempts } = row;
  const { e2eId, transferId = null } = receiptName(row);
  return {
    ...{ id, environment, accountId, depositId, provider, e2eId, transferId, cause, currency, amount, attempts },
    state: state === 'BOOKING' ? 'RETURNING' : state,
    failure: row.failure ?? null,
    returnId: row.returnId ?? null,
    paidAt: row.paidAt.toISOString(),
    attentionAt: row.attentionAt?.toISOString() ?? null,
    attention: row.attention ?? null,
    resolution: row.resolution ?? null,
    outcomes: [...orphanOutcomesOf(row)],
  };
}

/** What two operators may state of an orphan receipt as it is, as of a refund. */
export function orphanOutcomesOf({
  state,
  attention,
}: Pick<OrphanReceiptRow, 'state' | 'attention'>): readonly ReturnOutcome[] {
  switch (state) {
    case 'RETURNING':
      return ['done', 'failed'];
    case 'RETURNED':
      return attention ? ['done'] : [];
    case 'FAILED':
      return attention ? ['done', 'failed'] : ['done'];
    case 'BOOKING':
      return [];
  }
}

/**
 * An operator has one that FAILED sent back again, under the same reference: a provider that has sent it by now answers so.
 * What the provider called the attempt before is in the trace; the call is made anew.
 *
 * @throws DomainError INVALID_STATE when it has not failed
 */
export async function retryOrphanReceipt(
  { database, now }: RoutingDependencies,
  { id }: RequestOf<typeof retryContract>,
): Promise<ReplyOf<typeof retryContract>> {
  return await database.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
    const row = await tx.em.findOne(OrphanReceiptEntity, { id }, lock);
    if (!row) throw new NotFoundError('orphan receipt');
    const before = toOrphanReceipt(row);
    if (row.state !== 'FAILED') {
      throw new DomainError('INVALID_STATE', `an orphan receipt that is ${row.state} cannot be sent again`);
    }
    const again = { providerRef: null, attempts: 0, nextAttemptAt: now(), returningSince: now() };
    tx.em.assign(row, { ...notBegun, ...again, state: 'RETURNING', failure: null });
    return { before, receipt: toOrphanReceipt(row) };
  });
}
