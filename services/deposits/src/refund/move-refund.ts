import { LockMode } from '@mikro-orm/core';
import { DepositRefunded, RefundDone, RefundFailed } from '@gateway/contracts/deposits';
import { unixSeconds } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import { emit, type Tx } from '@gateway/persistence';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { lockDeposit, moveDeposit } from '#src/deposit/deposit-record.ts';
import { type RefundTransition, refundLifeCycle } from '#src/refund/life-cycle.ts';
import { toRefund } from '#src/refund/read-refunds.ts';
import { RefundEntity, type RefundRow } from '#src/refund/refund-entity.ts';
import { quiet } from '#src/returns/return-record.ts';
import { plannedRecheck } from '#src/returns/return-schedule.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

export type RefundFacts = Partial<
  Omit<RefundRow, 'environment' | 'accountId' | 'id' | 'depositId' | 'state' | 'amount' | 'currency'>
>;

/**
 * Applies a transition to a refund, and to its deposit with it. A refund that another caller has moved there, or further, is
 * answered as it is.
 */
export async function moveRefund(
  { database, now }: RoutingDependencies,
  key: RefundRow,
  transition: RefundTransition,
  facts: RefundFacts,
): Promise<RefundRow> {
  return await database.transaction(async (tx) => {
    const refund = await lockRefund(tx, key, refundLifeCycle[transition].to === 'DONE');
    if (refund.state === refundLifeCycle[transition].from) await transitionRefund(tx, refund, transition, facts, now());
    return refund;
  });
}

/**
 * A refund whose money may not be reserved yet is given up; one that is on its way already is answered as it is. What a
 * restored database may have forgotten of it, its provider is asked for before anything is given back.
 *
 * @returns null when there is none any more: the ledger has refused it
 */
export async function giveUpRefund(
  { database, now }: RoutingDependencies,
  { environment, accountId, id }: RefundRow,
  { knownUnsent }: { readonly knownUnsent: boolean },
): Promise<RefundRow | null> {
  return await database.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
    const row = await tx.em.findOne(RefundEntity, { environment, accountId, id }, lock);
    if (row?.state !== 'RESERVING') return row;
    const unknown = knownUnsent ? {} : { unknownSince: row.createdAt, calledAt: row.createdAt };
    await transitionRefund(tx, row, 'abandoned', { ...unknown, attempts: 0, nextAttemptAt: now() }, now());
    return row;
  });
}

/**
 * The refund, locked until the transaction ends. Its deposit first where both change, as everywhere: two transactions that
 * lock both never wait for each other.
 */
export async function lockRefund(
  tx: Tx,
  { environment, accountId, id, depositId }: Pick<RefundRow, 'environment' | 'accountId' | 'id' | 'depositId'>,
  withDeposit: boolean,
): Promise<RefundRow> {
  if (withDeposit) await lockDeposit(tx, { environment, accountId, id: depositId });
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  return await tx.em.findOneOrFail(RefundEntity, { environment, accountId, id }, lock);
}

/**
 * @param refund locked in `tx`, in the state the transition begins at; its deposit as well where it ends in DONE
 */
export async function transitionRefund(
  tx: Tx,
  refund: RefundRow,
  transition: RefundTransition,
  facts: RefundFacts,
  now: Date,
): Promise<void> {
  const { from, to } = refundLifeCycle[transition];
  if (refund.state !== from) throw new Error(`a refund that is ${refund.state} cannot be '${transition}'`);
  const isDecided = to === 'DONE' || to === 'FAILED';
  const end = isDecided ? { nextAttemptAt: null, finishedAt: now, callStartedAt: null } : {};
  // What a provider was found to contradict on the way stays for operators.
  const solved = isDecided && refund.attention !== 'contradiction' ? quiet : {};
  const { calledAt } = refund;
  const recheckAt = to === 'FAILED' ? plannedRecheck({ calledAt, rechecks: 0 }, now) : null;
  tx.em.assign(refund, { ...solved, ...facts, ...end, recheckAt, recheckPlannedAt: recheckAt, rechecks: 0, state: to });
  if (to === 'DONE') await countRefunded(tx, refund, now);
  // Its creation was answered with "nothing was created".
  if (transition === 'givenBack') return;
  if (isDecided) await emitRefund(tx, refund, to === 'DONE' ? RefundDone : RefundFailed, now);
}

/**
 * Of a deposit that was refunded another way while this one counted as failed, no more than all of it is refunded; what
 * went back beyond it is in the ledger.
 */
async function countRefunded(tx: Tx, { environment, accountId, depositId, amount }: RefundRow, now: Date) {
  const deposit = await lockDeposit(tx, { environment, accountId, id: depositId });
  tx.em.assign(deposit, { refunded: Math.min(deposit.refunded + amount, deposit.amount) });
  if (deposit.refunded === deposit.amount && deposit.state === 'PAID') {
    await moveDeposit(tx, deposit, 'refunded', DepositRefunded, now);
  }
}

/**
 * What was done has come back: the balance gets it again, and then the refund is FAILED. Its deposit counts what is gone
 * of it anew; one that is REFUNDED stays so, since merchants have its event, and can be refunded again.
 *
 * @param refund locked in `tx`, DONE, with its deposit
 */
export async function takeComeBack(tx: Tx, refund: RefundRow, facts: RefundFacts, now: Date): Promise<void> {
  const due = { attempts: 0, nextAttemptAt: now, finishedAt: null, returnId: null, ...anotherComeBack(refund, now) };
  // What people decided before was about another end.
  await transitionRefund(tx, refund, 'cameBack', { resolution: null, ...facts, ...due, ...quiet }, now);
  const { environment, accountId, depositId, id } = refund;
  const deposit = await lockDeposit(tx, { environment, accountId, id: depositId });
  const [gone] = await tx.sql<{ sum: number }>(
    `select (coalesce((select sum(amount) from refund where environment = $1 and account_id = $2 and deposit_id = $3
         and id <> $4 and state = 'DONE'), 0)
       + coalesce((select sum(returned) from dispute where environment = $1 and account_id = $2 and deposit_id = $3), 0)
       )::bigint as sum`,
    [environment, accountId, depositId, id],
  );
  tx.em.assign(deposit, { refunded: Math.min(gone?.sum ?? 0, deposit.refunded) });
}

/** What is on record of a refund that has come back once more. */
export function anotherComeBack({ cameBackAt, comeBacks }: Pick<RefundRow, 'cameBackAt' | 'comeBacks'>, now: Date) {
  // A process of an older release has counted none.
  const before = cameBackAt ? Math.max(comeBacks, 1) : 0;
  return { cameBackAt: now, comeBacks: before + 1, comeBack: null };
}

/** A refund is one of its deposit's events (api.md 2, `callback_url`). */
async function emitRefund(tx: Tx, refund: RefundRow, event: typeof RefundDone, now: Date): Promise<void> {
  const { environment, accountId, depositId: id } = refund;
  const deposit: DepositRow = await tx.em.findOneOrFail(DepositEntity, { environment, accountId, id });
  const { callbackUrl: url, apiVersion } = deposit;
  await emit(tx, event, {
    id: newId('event', now.getTime()),
    occurredAt: unixSeconds(now),
    refund: toRefund(refund),
    callback: url ? { url, apiVersion } : null,
  });
}
