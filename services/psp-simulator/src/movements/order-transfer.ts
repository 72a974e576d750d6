import { violatedConstraint, type Database } from '@gateway/persistence';
import type { DialectName } from '#src/account/charge.ts';
import { endToEndId } from '#src/account/spi-ids.ts';
import { transferColumns, type Transfer, type TransferReturn } from '#src/account/transfer.ts';
import { bankIspb, type Bank } from '#src/bank/bank.ts';
import type { TransferPlan } from '#src/faults/magic.ts';

/** Time from the order to the result. */
const transferSettlementMs = 300;

export interface TransferOrder {
  readonly dialect: DialectName;
  readonly reference: string;
  readonly amount: number;
  readonly destinationKey: string;
  readonly plan: TransferPlan;
  readonly details: Record<string, unknown>;
  /** Default: a new end-to-end id. */
  readonly e2eId?: string;
  /** It begins only when it is approved. */
  readonly awaitsApproval?: boolean;
}

/** Takes an order once: null where the reference has been used. */
export async function orderTransfer(bank: Bank, order: TransferOrder): Promise<Transfer | null> {
  const now = bank.now();
  const { dialect, reference, amount, destinationKey, plan, details, awaitsApproval = false } = order;
  const { e2eId = endToEndId(bankIspb, now) } = order;
  try {
    await bank.database.query(
      `insert into transfer (dialect, reference, amount, destination_key, e2e_id, status, plan, details, requested_at, settle_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        ...[dialect, reference, amount, destinationKey, e2eId, awaitsApproval ? 'CREATED' : 'PROCESSING'],
        ...[plan, JSON.stringify(details), now, settleAt(plan, now)],
      ],
    );
  } catch (error) {
    if (violatedConstraint(error) === 'transfer_reference') return null;
    throw error;
  }
  return await findTransfer(bank.database, dialect, reference);
}

/** Begins a transfer that waited. */
export async function approveTransfer(bank: Bank, dialect: DialectName, reference: string): Promise<Transfer | null> {
  const now = bank.now();
  const found = await findTransfer(bank.database, dialect, reference);
  if (found?.status !== 'CREATED') return found;
  await bank.database.query(
    `update transfer set status = 'PROCESSING', settle_at = $2 where id = $1 and status = 'CREATED'`,
    [found.id, settleAt(found.plan, now)],
  );
  return await findTransfer(bank.database, dialect, reference);
}

export async function findTransfer(
  database: Database,
  dialect: DialectName,
  reference: string,
): Promise<Transfer | null> {
  const [transfer] = await database.query<Transfer>(
    `select ${transferColumns} from transfer t where t.dialect = $1 and t.reference = $2`,
    [dialect, reference],
  );
  return transfer ?? null;
}

export async function returnsOf(source: Pick<Database, 'query'>, transferId: number): Promise<TransferReturn[]> {
  return await source.query<TransferReturn>(
    `select return_id as "returnId", amount, returned_at as "returnedAt" from transfer_return where transfer_id = $1 order by id`,
    [transferId],
  );
}

function settleAt(plan: TransferPlan, now: Date): Date | null {
  return plan === 'held' ? null : new Date(now.getTime() + transferSettlementMs);
}
