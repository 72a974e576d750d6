import type { simulateDispute as contract, simulateDisputeResult as resultContract } from '@gateway/contracts/deposits';
import { ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { RpcCall } from '@gateway/messaging';
import { newId, requireRailCurrency } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import { simulateDisputeOpened, simulateDisputeResolved } from '@gateway/providers';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { findDeposit } from '#src/deposit/deposit-record.ts';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity } from '#src/dispute/dispute-entity.ts';
import { findDispute } from '#src/dispute/dispute-record.ts';
import { shownDispute } from '#src/dispute/to-dispute.ts';
import { InvalidDisputeStateError, InvalidStateError } from '#src/errors.ts';

/** Kept of the caller's time for the database and the way back. */
const answerMarginMs = 500;

/** The payer of a test deposit contests it, by the real flow. One dispute at a time (409 while another is open). */
export async function simulateDispute(
  dependencies: DisputeDependencies,
  request: RequestOf<typeof contract>,
  { timeoutMs }: Pick<RpcCall, 'timeoutMs'>,
): Promise<ReplyOf<typeof contract>> {
  const { database, now } = dependencies;
  const { environment, accountId, depositId } = request;
  const deposit = await findDeposit(database, { environment, accountId, id: depositId });
  const { e2eId, state, currency } = deposit;
  if (state !== 'PAID' || !e2eId) throw new InvalidStateError(state);
  const amount = request.amount ?? deposit.amount - deposit.refunded;
  const money = { currency: requireRailCurrency(currency), amount };
  const event = simulateDisputeOpened({ disputeRef: newId('dispute', now().getTime()), e2eId, money, at: now() });
  const source = { environment, provider: deposit.provider };
  const budgetMs = Math.max(timeoutMs - answerMarginMs, answerMarginMs);
  const opened = await applyDisputeEvent(dependencies, source, event, budgetMs, {
    before: (tx, locked) => requireContestable(tx, locked, amount),
  });
  return { dispute: await shownDispute(database.reader(), opened) };
}

/** @param deposit locked in `tx`: of two that contest it at once, one is refused */
async function requireContestable(tx: Tx, deposit: DepositRow, amount: number): Promise<void> {
  const { environment, accountId, id: depositId, state } = deposit;
  if (state !== 'PAID') throw new InvalidStateError(state);
  const undecided = { environment, accountId, depositId, state: { $nin: ['WON' as const, 'LOST' as const] } };
  if (await tx.em.findOne(DisputeEntity, undecided)) throw new InvalidStateError('in dispute already');
  const left = deposit.amount - deposit.refunded;
  if (amount > left) throw new ValidationError([{ path: 'amount_cents', message: `must be at most ${left}` }]);
}

/** Decides a test dispute, by the real flow. */
export async function simulateDisputeResult(
  dependencies: DisputeDependencies,
  request: RequestOf<typeof resultContract>,
  { timeoutMs }: Pick<RpcCall, 'timeoutMs'>,
): Promise<ReplyOf<typeof resultContract>> {
  const { database, now } = dependencies;
  const dispute = await findDispute(database, request);
  const { environment, provider, disputeRef, e2eId, amount, currency, state, verdict } = dispute;
  const { result } = request;
  if (verdict && verdict !== result) throw new InvalidDisputeStateError(state);
  if (state === 'WON' || state === 'LOST') return { dispute: await shownDispute(database.reader(), dispute) };
  const money = { currency: requireRailCurrency(currency), amount };
  const event = simulateDisputeResolved({ disputeRef, e2eId, money, result, at: now() });
  const budgetMs = Math.max(timeoutMs - answerMarginMs, answerMarginMs);
  const decided = await applyDisputeEvent(dependencies, { environment, provider }, event, budgetMs);
  return { dispute: await shownDispute(database.reader(), decided) };
}
