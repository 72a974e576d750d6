import type { Tx } from '@gateway/persistence';
import { debitIfForgotten } from '#src/refund/ledger-steps.ts';
import {
  anotherComeBack,
  takeComeBack,
  transitionRefund,
  lockRefund,
  type RefundFacts,
} from '#src/refund/move-refund.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';
import { dueAgain, neverArrived, type ReturnAnswer, weighAnswer, type Weighed } from '#src/returns/return-progress.ts';
import { alarm, attentionFor, quiet } from '#src/returns/return-record.ts';
import { routeOf } from '#src/routing/charge-routes.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

/** The call an answer belongs to, by when it was announced; null of a lookup. */
export type OfCall = Date | null;

/** Writes down what a provider answered, whatever has become of the refund since it was asked. */
export async function recordAnswer(
  dependencies: RoutingDependencies,
  refund: RefundRow,
  answer: ReturnAnswer,
  ofCall: OfCall,
): Promise<RefundRow> {
  if (answer.kind === 'done' && refund.state === 'SENDING') await debitIfForgotten(dependencies, refund);
  return await dependencies.database.transaction(async (tx) => {
    const isOfDeposit = answer.kind === 'done' || answer.kind === 'failed';
    const row = await lockRefund(tx, refund, isOfDeposit);
    switch (row.state) {
      case 'SENDING':
        await applyAnswer(tx, dependencies, row, answer, ofCall);
        break;
      case 'REVERSING':
        if (answer.kind === 'done') await applyLateSuccess(tx, dependencies, row, answer);
        // It has been found to be done, and will be once the balance has paid again.
        if (answer.kind === 'failed' && row.returnId) await applyFailureAfterDone(tx, dependencies, row, answer);
        break;
      case 'FAILED':
        if (answer.kind === 'done') await applyLateSuccess(tx, dependencies, row, answer);
        if (answer.kind === 'processing') freeze(tx, dependencies, row, 'under way after it had failed');
        if (answer.kind === 'differs') recordDifference(tx, dependencies, row, answer);
        break;
      case 'DONE':
      case 'REDEBITING':
        if (answer.kind === 'failed') await applyFailureAfterDone(tx, dependencies, row, answer);
        break;
      case 'RELEASING':
        await applyToGivenUp(tx, dependencies, row, answer);
        break;
      case 'RESERVING':
        break;
    }
    return row;
  });
}

async function applyAnswer(
  tx: Tx,
  dependencies: RoutingDependencies,
  row: RefundRow,
  answer: ReturnAnswer,
  ofCall: OfCall,
): Promise<void> {
  const now = dependencies.now();
  // The outcome of a call that was given up, or followed by another, says something only where it says that it was taken.
  const isAwaited = ofCall === null || row.callStartedAt?.getTime() === ofCall.getTime();
  if (!isAwaited && answer.kind !== 'done' && answer.kind !== 'processing') return;
  const consistentLookup = isConsistent(dependencies, row);
  const { end, changes } = weighAnswer(row, answer, { now, consistentLookup });
  const ended = ofCall !== null && isAwaited ? { callStartedAt: null } : {};
  const facts = { ...changes, ...ended };
  if (answer.kind === 'differs') recordDifference(tx, dependencies, row, answer);
  await conclude(tx, row, { end, changes: facts }, answer, { now, consistentLookup });
}

/** Its debit is decided, and its provider may have been given it in what a restored database has forgotten. */
async function applyToGivenUp(
  tx: Tx,
  dependencies: RoutingDependencies,
  row: RefundRow,
  answer: ReturnAnswer,
): Promise<void> {
  const now = dependencies.now();
  if (answer.kind === 'unavailable') return;
  if (answer.kind !== 'not_found') {
    alarm(dependencies, 'refund', row, 'sent although it is on record as not sent');
    await transitionRefund(tx, row, 'foundSent', { attempts: 0, nextAttemptAt: now }, now);
    return await applyAnswer(tx, dependencies, row, answer, null);
  }
  const { changes } = weighAnswer(row, answer, { now, consistentLookup: isConsistent(dependencies, row) });
  tx.em.assign(row, { ...changes, nextAttemptAt: new Date(now.getTime() + neverArrived.afterMs) });
}

async function conclude(
  tx: Tx,
  row: RefundRow,
  { end, changes }: Weighed,
  answer: ReturnAnswer,
  { now, consistentLookup }: { readonly now: Date; readonly consistentLookup: boolean },
): Promise<void> {
  if (end === 'done' && answer.kind === 'done') {
    return await transitionRefund(tx, row, 'done', { ...changes, returnId: answer.returnId }, now);
  }
  if (end === 'failed' && (answer.kind === 'failed' || answer.kind === 'refused')) {
    const cameBack = answer.kind === 'failed' && answer.cameBack ? anotherComeBack(row, now) : {};
    const failure = { failureReason: answer.code, failureMessage: answer.message, ...cameBack };
    return await transitionRefund(tx, row, 'refused', { ...changes, ...failure, attempts: 0, nextAttemptAt: now }, now);
  }
  tx.em.assign(row, changes);
  // A call that is under way keeps its lease.
  if (!row.callStartedAt) tx.em.assign(row, { nextAttemptAt: dueAgain(row, answer, { now, consistentLookup }) });
}

/**
 * The payer has it, and the merchant has it back: the balance pays again. Not where it was shown to have come back: that it is
 * done may be an answer from before, and people find out.
 */
async function applyLateSuccess(
  tx: Tx,
  dependencies: RoutingDependencies,
  row: RefundRow,
  { providerRef, returnId }: Extract<ReturnAnswer, { kind: 'done' }>,
): Promise<void> {
  if (row.cameBackAt) return freeze(tx, dependencies, row, 'done after it had come back');
  if (row.returnId === returnId) return;
  const now = dependencies.now();
  alarm(dependencies, 'refund', row, 'done after it had failed');
  const facts: RefundFacts = { providerRef, returnId, attempts: 0, nextAttemptAt: now, finishedAt: null, ...quiet };
  // What people decided before was about another end.
  tx.em.assign(row, { resolution: null });
  // While the money is on its way back to the balance, the same is remembered until it has arrived.
  if (row.state === 'REVERSING') tx.em.assign(row, { providerRef, returnId });
  else await transitionRefund(tx, row, 'doneAfterFailure', facts, now);
}

/** Only what a provider shows to have come back is given back, and once by itself: what it says after that, people look at. */
async function applyFailureAfterDone(
  tx: Tx,
  dependencies: RoutingDependencies,
  row: RefundRow,
  { code, message, cameBack = false }: Extract<ReturnAnswer, { kind: 'failed' }>,
): Promise<void> {
  if (!cameBack || row.cameBackAt) return freeze(tx, dependencies, row, 'failed after it was done');
  const comeBack = { failureReason: code, failureMessage: message };
  // While the balance has still to pay again, the same is remembered until it has.
  if (row.state === 'DONE') await takeComeBack(tx, row, comeBack, dependencies.now());
  else tx.em.assign(row, { comeBack });
}

function recordDifference(
  tx: Tx,
  dependencies: RoutingDependencies,
  row: RefundRow,
  { cause }: Extract<ReturnAnswer, { kind: 'differs' }>,
): void {
  alarm(dependencies, 'refund', row, cause);
  tx.em.assign(row, attentionFor(row, 'amount_differs', dependencies.now()));
}

function freeze(tx: Tx, dependencies: RoutingDependencies, row: RefundRow, what: string): void {
  if (row.attention === 'contradiction') return;
  alarm(dependencies, 'refund', row, what);
  tx.em.assign(row, attentionFor(row, 'contradiction', dependencies.now()));
}

function isConsistent({ chargeRoutes }: RoutingDependencies, { environment, provider }: RefundRow): boolean {
  return routeOf(chargeRoutes, environment, provider)?.provider.capabilities.consistentLookup ?? false;
}
