import { DepositRefunded, DisputeLost, DisputeOpened, DisputeWon } from '@gateway/contracts';
import type { Tx } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { lockDeposit } from '#src/deposit/find-deposit.ts';
import { moveDeposit } from '#src/deposit/move-deposit.ts';
import type { DisputeRow } from '#src/dispute/dispute-entity.ts';
import { lockDispute } from '#src/dispute/find-dispute.ts';
import { blockMoney, compensate, settleMoney } from '#src/dispute/ledger-steps.ts';
import { moveDispute } from '#src/dispute/move-dispute.ts';

/** How often the ledger is asked what later credits have paid into a shortfall. */
const shortfallIntervalMs = 60_000;

/**
 * Takes a dispute as far as it goes now: blocked, and settled when the provider has decided. Repeatable at every step:
 * the ledger's commands follow from the record.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer in time; the sweeper goes on
 */
export async function driveDispute(
  dependencies: Dependencies,
  dispute: DisputeRow,
  timeoutMs: number,
): Promise<DisputeRow> {
  const opened = dispute.state === 'OPENING' ? await open(dependencies, dispute, timeoutMs) : dispute;
  switch (opened.verdict) {
    case 'won':
      if (opened.state === 'LOST') return await overturn(dependencies, opened, timeoutMs);
      return opened.state === 'WON' ? opened : await settle(dependencies, opened, timeoutMs);
    case 'lost':
      if (opened.state !== 'LOST') return await settle(dependencies, opened, timeoutMs);
      return opened.shortfall === 0 ? opened : await followShortfall(dependencies, opened);
    case null:
    case undefined:
      return opened.shortfall === 0 ? opened : await followShortfall(dependencies, opened);
  }
}

async function open(dependencies: Dependencies, dispute: DisputeRow, timeoutMs: number): Promise<DisputeRow> {
  const { blocked = 0 } = await blockMoney(dependencies, dispute, timeoutMs);
  return await dependencies.database.transaction(async (tx) => {
    const row = await lockDispute(tx, dispute);
    if (row.state !== 'OPENING') return row;
    const shortfall = Math.max(row.amount - blocked, 0);
    const nextAttemptAt = row.verdict ? row.nextAttemptAt : nextLook(shortfall, dependencies.now());
    const facts = { blocked, shortfall, nextAttemptAt: nextAttemptAt ?? null };
    await moveDispute(tx, row, 'blocked', DisputeOpened, { facts, now: dependencies.now() });
    return row;
  });
}

async function settle(dependencies: Dependencies, dispute: DisputeRow, timeoutMs: number): Promise<DisputeRow> {
  const { verdict } = dispute;
  const { returned = 0, shortfall = 0 } = await settleMoney(dependencies, dispute, timeoutMs);
  const now = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, { ...dispute, id: dispute.depositId });
    const row = await lockDispute(tx, dispute);
    if (row.state === 'WON' || row.state === 'LOST') return row;
    const nextAttemptAt = nextLook(shortfall, now);
    const facts = { blocked: 0, returned, shortfall, resolvedAt: now, nextAttemptAt, attempts: 0 };
    const happening = verdict === 'won' ? 'won' : 'lost';
    await moveDispute(tx, row, happening, verdict === 'won' ? DisputeWon : DisputeLost, { facts, now });
    await countReturned(tx, deposit, returned, now);
    return row;
  });
}

/** A deposit that is REFUNDED stays so: merchants were told of it, and of the dispute's new end. */
async function overturn(dependencies: Dependencies, dispute: DisputeRow, timeoutMs: number): Promise<DisputeRow> {
  await compensate(dependencies, dispute, timeoutMs);
  const now = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, { ...dispute, id: dispute.depositId });
    const row = await lockDispute(tx, dispute);
    if (row.state === 'WON') return row;
    if (deposit.state === 'PAID') tx.em.assign(deposit, { refunded: deposit.refunded - row.returned });
    const facts = { returned: 0, shortfall: 0, resolvedAt: now, nextAttemptAt: null, attempts: 0 };
    await moveDispute(tx, row, 'overturned', DisputeWon, { facts, now });
    return row;
  });
}

/** Later credits pay into a shortfall by themselves, in the ledger; the record follows. */
async function followShortfall(dependencies: Dependencies, dispute: DisputeRow): Promise<DisputeRow> {
  const { environment, accountId, id, lostId } = dispute;
  const { blocked, returned, shortfall } = await dependencies.askHolding({
    environment,
    accountId,
    disputeId: lostId ?? id,
  });
  const now = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, { ...dispute, id: dispute.depositId });
    const row = await lockDispute(tx, dispute);
    if (row.state !== dispute.state || row.verdict !== dispute.verdict) return row;
    await countReturned(tx, deposit, returned - row.returned, now);
    tx.em.assign(row, { blocked, returned, shortfall, nextAttemptAt: nextLook(shortfall, now) });
    return row;
  });
}

function nextLook(shortfall: number, now: Date): Date | null {
  return shortfall === 0 ? null : new Date(now.getTime() + shortfallIntervalMs);
}

/** One that stayed REFUNDED when a decision was taken back has nothing to count when that comes again. */
async function countReturned(tx: Tx, deposit: Awaited<ReturnType<typeof lockDeposit>>, returned: number, now: Date) {
  if (returned <= 0 || deposit.state === 'REFUNDED') return;
  tx.em.assign(deposit, { refunded: deposit.refunded + returned });
  if (deposit.refunded === deposit.amount) await moveDeposit(tx, deposit, 'refunded', DepositRefunded, now);
}
