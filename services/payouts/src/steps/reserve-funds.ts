import { DomainError } from '@gateway/contracts/errors';
import type { LedgerResult } from '@gateway/contracts/ledger';
import { PayoutPending } from '@gateway/contracts/payouts';
import { outboxRow } from '@gateway/persistence';
import { InsufficientFundsError, ProviderTimeoutError, ReservationUnansweredError } from '#src/errors.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/present-payout.ts';
import { debitCommand, requireApplied } from '#src/settlement/ledger-commands.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { announceFirstCall } from '#src/steps/send-payout.ts';

/**
 * Reserves amount and fee: RESERVING becomes SENDING, about to be sent by the caller of this function, or PENDING where
 * an operator decides first.
 *
 * @throws InsufficientFundsError the record is gone, its external_id free
 * @throws ReservationUnansweredError the external_id will be free: what may have been reserved is given back
 * @throws ProviderTimeoutError it is not known whether the payout will be sent; a query by its id answers it
 */
export async function reserveFunds(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  timeoutMs: number,
): Promise<PayoutRow> {
  const result = await askForDebit(dependencies, payout, timeoutMs);
  if (result.outcome === 'refused') {
    await dependencies.payouts.remove(payout);
    if (result.refusal === 'insufficient_funds') throw new InsufficientFundsError();
  }
  requireApplied(result);
  const reserved = await recordDebit(dependencies, payout);
  if (!reserved) throw new ReservationUnansweredError();
  return reserved;
}

/** Null when the reservation was given up in the meantime. Once this may have been written, the payout may be sent. */
async function recordDebit(dependencies: StepsDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  try {
    if (payout.needsApproval) return await waitForApproval(dependencies, payout);
    return await announceFirstCall(dependencies, payout);
  } catch (error) {
    throw await unrecorded(dependencies, payout, error);
  }
}

/**
 * The debit may be on record all the same. Where it can be seen that it is not, nothing was created; else the caller gets
 * the id, under which it is PROCESSING until it goes its way or is given back.
 */
async function unrecorded(
  { payouts, now }: StepsDependencies,
  payout: PayoutRow,
  cause: unknown,
): Promise<DomainError> {
  const givenUp = await payouts.move(payout, 'abandoned', { knownUnsent: true, dueAt: now() }).catch(() => null);
  return givenUp ? new ReservationUnansweredError(cause) : new ProviderTimeoutError(payout.id, cause);
}

async function waitForApproval({ payouts, now }: StepsDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  const event = (moved: PayoutRow) => outboxRow(PayoutPending, payoutEvent(moved, now()));
  return await payouts.move(payout, 'debitedForApproval', { dueAt: null }, event);
}

async function askForDebit(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  timeoutMs: number,
): Promise<LedgerResult> {
  try {
    return await dependencies.askLedger(debitCommand(payout), timeoutMs);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await dependencies.payouts.move(payout, 'abandoned', { knownUnsent: true, dueAt: dependencies.now() });
    throw new ReservationUnansweredError(error);
  }
}
