import { LockMode } from '@mikro-orm/core';
import type { Deposit } from '@gateway/contracts/deposits';
import { measureProviderCall } from '@gateway/provider-feeds';
import type { ChargeOutcome } from '@gateway/providers';
import { Deadlines } from '@gateway/runtime';
import { Creation } from '#src/charge/creation.ts';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { chargeInputOf } from '#src/deposit/to-deposit.ts';
import { ProviderUnavailableError } from '#src/errors.ts';
import { type ChargeRoute, routeOf } from '#src/routing/charge-routes.ts';

const chargeTimeoutMs = 4_000;
const deadlines = new Deadlines(chargeTimeoutMs);

/**
 * Brings a creation to its end: the provider's charge and PENDING, or no record. Repeatable: the reference is stored before
 * the provider hears of it, so the provider finds the charge by it, and a record that another process has completed is answered
 * as it is. Where nothing was sent, the next of the others is asked, under the same reference.
 *
 * @returns null when the external_id is taken
 * @throws ProviderUnavailableError when no charge came of it; the record is gone and its external_id free
 */
export async function openCharge(
  dependencies: ChargeDependencies,
  route: ChargeRoute,
  creation: Creation,
  others: readonly ChargeRoute[] = [],
): Promise<Deposit | null> {
  const outcome = await askForCharge(route, creation);
  if (creation.isTaken) return null;
  if (outcome.kind === 'accepted') return await creation.complete(outcome.charge);
  const { logger } = dependencies;
  const { id: depositId, provider } = creation.deposit;
  const [next, ...rest] = others;
  if (outcome.kind === 'not_sent' && next) {
    logger.warn({ depositId, provider, cause: outcome.cause }, 'charge fails over');
    await creation.giveTo(next.provider.id);
    return await openCharge(dependencies, next, creation, rest);
  }
  const cause = outcome.kind === 'refused' ? outcome.message : outcome.cause;
  logger.warn({ depositId, provider, outcome: outcome.kind, cause }, 'charge could not be opened');
  await creation.abandon();
  throw new ProviderUnavailableError();
}

/** After a lost answer the provider is asked once more: it finds the charge by its reference. */
async function askForCharge({ provider }: ChargeRoute, creation: Creation): Promise<ChargeOutcome> {
  const input = chargeInputOf(creation.deposit);
  const beforeSending = () => creation.claim();
  const call = () => provider.createCharge(input, { signal: deadlines.next(), beforeSending });
  const ask = () => measureProviderCall(provider.id, 'create-charge', ({ kind }) => kind, call);
  const outcome = await ask();
  return outcome.kind === 'unknown' ? await ask() : outcome;
}

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
