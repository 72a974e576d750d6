import { LockMode } from '@mikro-orm/core';
import { Creation } from '#src/charge/creation.ts';
import { openCharge } from '#src/charge/open-charge.ts';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { routeOf } from '#src/routing/charge-routes.ts';

const batchMax = 50;
/** Longer than one attempt takes, so that two sweepers do not work on the same record. */
const attemptLeaseMs = 15_000;

/**
 * Ends creations whose process died between claim and record. Answers true when there may be more.
 */
export async function finishCreations(dependencies: ChargeDependencies): Promise<boolean> {
  const due = await claimDue(dependencies);
  await Promise.all(due.map((deposit) => finishCreation(dependencies, deposit)));
  return due.length === batchMax;
}

async function claimDue({ database, now }: ChargeDependencies): Promise<DepositRow[]> {
  return await database.transaction(async (tx) => {
    const due = await tx.em.find(
      DepositEntity,
      { state: 'CREATING', creationDueAt: { $lte: now() } },
      { orderBy: { creationDueAt: 'asc' }, limit: batchMax, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    for (const deposit of due) deposit.creationDueAt = new Date(now().getTime() + attemptLeaseMs);
    return due;
  });
}

async function finishCreation(dependencies: ChargeDependencies, deposit: DepositRow): Promise<void> {
  const { chargeRoutes, logger } = dependencies;
  const route = routeOf(chargeRoutes, deposit.environment, deposit.provider);
  try {
    if (!route) throw new Error(`provider ${deposit.provider} is not configured`);
    await openCharge(dependencies, route, new Creation(dependencies, deposit, { isClaimed: true }));
    logger.info({ depositId: deposit.id }, 'creation finished after an interruption');
  } catch (error) {
    logger.warn({ err: error, depositId: deposit.id }, 'interrupted creation did not come to a charge');
  }
}
