import { DepositRefunded } from '@gateway/contracts/deposits';
import type { DisputeHoldingChanged } from '@gateway/contracts/ledger';
import type { PayloadOf } from '@gateway/contracts/messages';
import type { Tx } from '@gateway/persistence';
import { lockDeposit, moveDeposit } from '#src/deposit/deposit-record.ts';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity, type DisputeRow } from '#src/dispute/dispute-entity.ts';
import { lockDispute } from '#src/dispute/dispute-record.ts';

/** How often the ledger is asked what later credits have paid into a shortfall, should its event not arrive. */
const shortfallIntervalMs = 60_000;

interface Holding {
  readonly blocked: number;
  readonly returned: number;
  readonly shortfall: number;
}

/** What an answer of the ledger is about: where one of them is another, the answer may be older than the record. */
const unchanged = ['state', 'verdict', 'lostAmount', 'extendedBy', 'holdingSequence'] as const;

type Deposit = Awaited<ReturnType<typeof lockDeposit>>;

/**
 * Asks the ledger what a dispute holds: later credits pay into its shortfall by themselves. `ended` is the step that ends
 * with the answer on record; while the record is of another state than the ledger's answer, or has changed since it was asked,
 * that step stays, and the sweeper asks again.
 */
export async function followHolding(
  dependencies: DisputeDependencies,
  dispute: DisputeRow,
  ended: Partial<DisputeRow> = {},
): Promise<DisputeRow> {
  const { environment, accountId, id, lostId } = dispute;
  const held = await dependencies.askHolding({ environment, accountId, disputeId: lostId ?? id });
  if (held.state !== ledgerStateOf(dispute)) return dispute;
  return await dependencies.database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, { ...dispute, id: dispute.depositId });
    const row = await lockDispute(tx, dispute);
    // An event of the ledger that came in the meantime may be newer than its answer.
    if (!unchanged.every((member) => row[member] === dispute[member])) return row;
    tx.em.assign(row, ended);
    await takeHolding(tx, deposit, row, held, dependencies.now());
    return row;
  });
}

/** The ledger reports that a credit has changed what a dispute holds. What is older than the record changes nothing. */
export async function applyHoldingChange(
  dependencies: DisputeDependencies,
  { environment, accountId, disputeId, state, sequence, ...held }: PayloadOf<typeof DisputeHoldingChanged>,
): Promise<void> {
  const owner = { environment, accountId };
  const ofLedger = { $or: [{ lostId: disputeId }, { id: disputeId, lostId: null }] };
  const known = await dependencies.database.reader().findOne(DisputeEntity, { ...owner, ...ofLedger });
  if (!known) return;
  await dependencies.database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, { ...owner, id: known.depositId });
    const row = await lockDispute(tx, known);
    if (sequence <= row.holdingSequence) return;
    // Where the record is behind the ledger's step, or ahead of it, what that step left follows with its answer.
    if (state !== ledgerStateOf(row)) return;
    tx.em.assign(row, { holdingSequence: sequence });
    await takeHolding(tx, deposit, row, held, dependencies.now());
  });
}

export function nextLook(shortfall: number, now: Date): Date | null {
  return shortfall === 0 ? null : new Date(now.getTime() + shortfallIntervalMs);
}

/** One that counts whole, as it does where a decision was taken back that had it REFUNDED, has nothing more to count. */
export async function countReturned(tx: Tx, deposit: Deposit, returned: number, now: Date): Promise<void> {
  if (returned <= 0 || deposit.refunded === deposit.amount) return;
  tx.em.assign(deposit, { refunded: Math.min(deposit.refunded + returned, deposit.amount) });
  const isRefunded = deposit.refunded === deposit.amount && deposit.state === 'PAID';
  if (isRefunded) await moveDeposit(tx, deposit, 'refunded', DepositRefunded, now);
}

async function takeHolding(
  tx: Tx,
  deposit: Deposit,
  row: DisputeRow,
  { blocked, returned, shortfall }: Holding,
  now: Date,
): Promise<void> {
  await countReturned(tx, deposit, returned - row.returned, now);
  const next = row.stepSince ? {} : { nextAttemptAt: nextLook(shortfall, now) };
  tx.em.assign(row, { blocked, returned, shortfall, ...next });
}

/** How the ledger calls the state a record is in; what it says of another one is not about this record's step. */
function ledgerStateOf({ state }: DisputeRow): 'open' | 'won' | 'lost' | null {
  switch (state) {
    case 'OPENING':
      return null;
    case 'OPEN':
    case 'UNDER_ANALYSIS':
      return 'open';
    case 'WON':
      return 'won';
    case 'LOST':
      return 'lost';
  }
}
