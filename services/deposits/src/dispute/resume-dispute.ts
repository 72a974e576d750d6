import { LockMode } from '@mikro-orm/core';
import { DisputeLost, DisputeOpened, DisputeWon } from '@gateway/contracts/deposits';
import { lockDeposit } from '#src/deposit/deposit-record.ts';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity, type DisputeRow } from '#src/dispute/dispute-entity.ts';
import { lockDispute, moveDispute } from '#src/dispute/dispute-record.ts';
import { countReturned, followHolding, nextLook } from '#src/dispute/follow-holding.ts';
import { blockMoney, compensate, extendHolding, settleMoney } from '#src/dispute/ledger-steps.ts';
import { nextAttempt } from '#src/returns/return-schedule.ts';

/** What a step that is answered leaves of the reasons to look at it. */
const answered = { stepSince: null, attempts: 0 } as const;

/**
 * Takes a dispute as far as it goes now: blocked, and settled when the provider has decided. Repeatable at every step:
 * the ledger's commands follow from the record.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer in time; the sweeper goes on
 */
export async function resumeDispute(
  dependencies: DisputeDependencies,
  dispute: DisputeRow,
  timeoutMs: number,
): Promise<DisputeRow> {
  const opened = dispute.state === 'OPENING' ? await open(dependencies, dispute, timeoutMs) : dispute;
  const { extendedBy } = opened;
  // What a decision for the merchant gives back is not taken first.
  if (extendedBy && opened.verdict !== 'won') await extendHolding(dependencies, opened, timeoutMs);
  const decided = await carryOutDecision(dependencies, opened, timeoutMs);
  // An extension that has come since then is not asked for yet.
  if (extendedBy && decided.extendedBy === extendedBy) return await endExtension(dependencies, decided);
  const isFollowed = decided.shortfall > 0 && decided.state !== 'WON' && !decided.stepSince;
  return isFollowed ? await followHolding(dependencies, decided) : decided;
}

async function carryOutDecision(dependencies: DisputeDependencies, dispute: DisputeRow, timeoutMs: number) {
  const { verdict, state } = dispute;
  if (!verdict || state === 'WON') return dispute;
  if (state !== 'LOST') return await settle(dependencies, dispute, timeoutMs);
  return verdict === 'won' ? await overturn(dependencies, dispute, timeoutMs) : dispute;
}

async function open(dependencies: DisputeDependencies, dispute: DisputeRow, timeoutMs: number): Promise<DisputeRow> {
  const { blocked = 0 } = await blockMoney(dependencies, dispute, timeoutMs);
  const now = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    const row = await lockDispute(tx, dispute);
    if (row.state !== 'OPENING') return row;
    // At most this: what has gone back to the payer another way is not due. The ledger is asked for it next.
    const shortfall = Math.max(row.amount - blocked, 0);
    const isUnderWay = Boolean(row.verdict ?? row.extendedBy);
    const next = isUnderWay ? {} : { ...answered, ...solved(row), nextAttemptAt: nextLook(shortfall, now) };
    await moveDispute(tx, row, 'blocked', DisputeOpened, { facts: { blocked, shortfall, ...next }, now });
    return row;
  });
}

/**
 * Ends the step of an extension that the ledger has carried out: with what the ledger holds since then, in one transaction.
 * An answer to the decision may be from before the extension.
 */
async function endExtension(dependencies: DisputeDependencies, dispute: DisputeRow): Promise<DisputeRow> {
  const ended = { extendedBy: null, ...answered, ...solved(dispute), nextAttemptAt: null } as const;
  if (dispute.state !== 'WON') return await followHolding(dependencies, dispute, ended);
  return await dependencies.database.transaction(async (tx) => {
    const row = await lockDispute(tx, dispute);
    if (row.extendedBy === dispute.extendedBy) tx.em.assign(row, ended);
    return row;
  });
}

async function settle(dependencies: DisputeDependencies, dispute: DisputeRow, timeoutMs: number): Promise<DisputeRow> {
  const { verdict } = dispute;
  const { returned = 0, shortfall = 0 } = await settleMoney(dependencies, dispute, timeoutMs);
  const now = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, { ...dispute, id: dispute.depositId });
    const row = await lockDispute(tx, dispute);
    if (row.state === 'WON' || row.state === 'LOST') return row;
    const next = row.extendedBy ? {} : { ...answered, nextAttemptAt: nextLook(shortfall, now) };
    const facts = { blocked: 0, returned, shortfall, resolvedAt: now, ...solved(row), ...next };
    const transition = verdict === 'won' ? 'won' : 'lost';
    await moveDispute(tx, row, transition, verdict === 'won' ? DisputeWon : DisputeLost, { facts, now });
    await countReturned(tx, deposit, returned, now);
    return row;
  });
}

/** A deposit that counts whole stays so: merchants have its event, and get that of the dispute's new end. */
async function overturn(
  dependencies: DisputeDependencies,
  dispute: DisputeRow,
  timeoutMs: number,
): Promise<DisputeRow> {
  const { released: overturned = 0 } = await compensate(dependencies, dispute, timeoutMs);
  const now = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, { ...dispute, id: dispute.depositId });
    const row = await lockDispute(tx, dispute);
    if (row.state === 'WON') return row;
    if (deposit.refunded < deposit.amount) tx.em.assign(deposit, { refunded: deposit.refunded - row.returned });
    const solvedAt = { resolvedAt: now, ...solved(row), ...answered, nextAttemptAt: null };
    const facts = { returned: 0, overturned, shortfall: 0, ...solvedAt };
    await moveDispute(tx, row, 'overturned', DisputeWon, { facts, now });
    return row;
  });
}

/** One that only took its time needs no operator any more; one that its provider contradicts itself about still does. */
function solved({ attention }: DisputeRow) {
  return attention === 'overdue' ? ({ attentionAt: null, attention: null } as const) : {};
}

const batchMax = 50;
const ledgerTimeoutMs = 5_000;

/** Goes on with disputes whose process died, or whose ledger did not answer. Answers true when there may be more. */
export async function finishDisputes(dependencies: DisputeDependencies): Promise<boolean> {
  const due = await claimDue(dependencies);
  await Promise.all(due.map((dispute) => finish(dependencies, dispute)));
  return due.length === batchMax;
}

async function claimDue({ database, now }: DisputeDependencies): Promise<DisputeRow[]> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      DisputeEntity,
      { nextAttemptAt: { $lte: now() } },
      { orderBy: { nextAttemptAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const dispute of due) {
      dispute.nextAttemptAt = nextAttempt(dispute.attempts, now());
      dispute.attempts += 1;
    }
    return due;
  });
}

async function finish(dependencies: DisputeDependencies, dispute: DisputeRow): Promise<void> {
  try {
    await resumeDispute(dependencies, dispute, ledgerTimeoutMs);
  } catch (error) {
    const { id: disputeId, attempts } = dispute;
    dependencies.logger.warn({ err: error, disputeId, attempts }, 'dispute could not be carried out yet');
  }
}
