import type { LedgerCommandOf, LedgerResult } from '@gateway/contracts/ledger';
import { DomainError } from '@gateway/contracts/errors';
import {
  InsufficientFundsError,
  RefundExceedsAmountError,
  RefundOutcomeUnknownError,
  RefundUnansweredError,
} from '#src/errors.ts';
import { giveUpRefund, moveRefund } from '#src/refund/move-refund.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';
import { nextAttempt } from '#src/returns/return-schedule.ts';
import { routeOf } from '#src/routing/charge-routes.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

interface Reservation {
  /** Created by this call, which has called no provider: a restored database has forgotten nothing of it. */
  readonly isNew: boolean;
  readonly timeoutMs: number;
}

/**
 * Takes the money out of the merchant's balance. Repeatable: the command follows from the record alone.
 *
 * @throws InsufficientFundsError, RefundExceedsAmountError the record is gone and its external_id free
 * @throws RefundUnansweredError it is given up: what may have been reserved is given back, and it is never sent (api.md 1)
 * @throws RefundOutcomeUnknownError whether it will be sent is not known; the same call again answers it
 */
export async function reserveRefund(
  dependencies: RoutingDependencies,
  refund: RefundRow,
  reservation: Reservation,
): Promise<RefundRow> {
  let result: LedgerResult;
  try {
    result = await dependencies.askLedger(refundCommandOf(refund), reservation.timeoutMs);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return await giveUp(dependencies, refund, reservation, error);
  }
  if (result.outcome !== 'applied') {
    await removeUnreserved(dependencies, refund);
    throw refusalOf(refund, result);
  }
  try {
    const due = { nextAttemptAt: nextAttempt(0, dependencies.now()) };
    return requireKept(await moveRefund(dependencies, refund, 'reserved', due));
  } catch (error) {
    if (error instanceof RefundUnansweredError) throw error;
    // It may be on record all the same, and is answered as it is then.
    return await giveUp(dependencies, refund, reservation, error).catch((cause: unknown) => {
      throw cause instanceof RefundUnansweredError ? cause : new RefundOutcomeUnknownError(cause);
    });
  }
}

/** The refund, where another process has reserved it in the meantime. */
async function giveUp(
  dependencies: RoutingDependencies,
  refund: RefundRow,
  { isNew }: Reservation,
  cause: unknown,
): Promise<RefundRow> {
  const row = await giveUpRefund(dependencies, refund, { knownUnsent: isNew || !isSentOverWire(dependencies, refund) });
  if (!row) throw new RefundUnansweredError(cause);
  return requireKept(row, cause);
}

function requireKept(row: RefundRow, cause?: unknown): RefundRow {
  if (row.state === 'RELEASING' || row.releasedAt) throw new RefundUnansweredError(cause);
  return row;
}

/** What a provider simulates here, it answers to have carried out as soon as it is asked. */
export function isSentOverWire({ chargeRoutes }: RoutingDependencies, { environment, provider }: RefundRow): boolean {
  return routeOf(chargeRoutes, environment, provider)?.provider.capabilities.receivesPayments ?? true;
}

/** The ledger has refused it, and refuses it for good: no record is kept. */
export async function removeUnreserved(
  { database }: RoutingDependencies,
  { environment, accountId, id }: RefundRow,
): Promise<void> {
  await database.query(
    `delete from refund where environment = $1 and account_id = $2 and id = $3 and state in ('RESERVING', 'RELEASING')`,
    [environment, accountId, id],
  );
}

export function refundCommandOf(refund: RefundRow): LedgerCommandOf<'refund-deposit'> {
  return {
    kind: 'refund-deposit',
    id: `refund-deposit:${refund.id}`,
    environment: refund.environment,
    accountId: refund.accountId,
    currency: refund.currency,
    depositId: refund.depositId,
    refundId: refund.id,
    provider: refund.provider,
    amount: refund.amount,
    depositAmount: refund.depositAmount,
  };
}

function refusalOf(refund: RefundRow, { outcome, refusal, field }: LedgerResult): Error {
  if (refusal === 'insufficient_funds') return new InsufficientFundsError();
  if (refusal === 'exceeds_reference') return new RefundExceedsAmountError(null);
  return new Error(`the ledger refuses to reserve ${refund.id}: ${outcome} ${refusal ?? field ?? ''}`);
}
