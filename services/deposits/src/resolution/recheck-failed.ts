import type { Environment } from '@gateway/contracts/values';
import { findDeposit } from '#src/deposit/deposit-record.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt.ts';
import { recordOrphanAnswer } from '#src/orphan-receipts/record-orphan-answer.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { recordAnswer } from '#src/refund/record-answer.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';
import { resumeRefund } from '#src/refund/resume-refund.ts';
import type { ReturnAnswer } from '#src/returns/return-progress.ts';
import { plannedRecheck, recheckRetry } from '#src/returns/return-schedule.ts';
import { lookUpReturn, type Return } from '#src/returns/send-back.ts';
import type { ChargeRoute } from '#src/routing/charge-routes.ts';

/** Questions to one provider in one round, about refunds and orphan receipts together. */
export const rechecksPerRound = 10;

const environments: readonly Environment[] = ['live', 'test'];

/**
 * A round of asking about refunds and orphan receipts that have failed although their provider may have them, each when
 * its plan of days says so: one that was done all the same is debited again. What has to wait for the bound, or for the
 * provider, is asked about later, and none is left out.
 */
export async function recheckFailed(dependencies: ProviderFeedDependencies): Promise<void> {
  const { chargeRoutes } = dependencies;
  const rounds = environments.flatMap((environment) =>
    chargeRoutes[environment].map(async (route) => recheckAt(dependencies, environment, route)),
  );
  await Promise.all(rounds);
}

interface Due {
  readonly record: 'refund' | 'orphan_receipt';
  readonly id: string;
}

/** Those that wait longest come first. */
const dueSql = `
  select record, id from (
    (select 'refund' as record, id, recheck_at from refund
     where environment = $1 and provider = $2 and recheck_at <= $3 order by recheck_at limit $4)
    union all
    (select 'orphan_receipt', id, recheck_at from orphan_receipt
     where environment = $1 and provider = $2 and recheck_at <= $3 order by recheck_at limit $4)
  ) as due order by recheck_at limit $4`;

async function recheckAt(
  dependencies: ProviderFeedDependencies,
  environment: Environment,
  route: ChargeRoute,
): Promise<void> {
  const { database, feeds, logger, now } = dependencies;
  const { id: provider } = route.provider;
  const due = await database.query<Due>(dueSql, [environment, provider, now(), rechecksPerRound]);
  for (const each of due) {
    if (!feeds.budget.take(provider)) return;
    try {
      await recheck(dependencies, route, each);
    } catch (error) {
      logger.error({ err: error, ...each }, 'a failed return could not be asked about again');
    }
  }
}

async function recheck(dependencies: ProviderFeedDependencies, route: ChargeRoute, due: Due): Promise<void> {
  if (!(await claim(dependencies, due))) return;
  const answer =
    due.record === 'refund' ? await askRefund(dependencies, route, due) : await askOrphan(dependencies, route, due);
  await planNext(dependencies, due, answer);
}

/**
 * Until it is planned anew it counts as not asked: where this process dies, it is asked about an hour later. What it was
 * planned for stays on record.
 */
async function claim({ database, now }: ProviderFeedDependencies, { record, id }: Due): Promise<boolean> {
  const claimed = await database.query(
    `update ${record} set recheck_at = $2 where id = $1 and state = 'FAILED' and recheck_at <= $3 returning id`,
    [id, recheckRetry(now()), now()],
  );
  return claimed.length === 1;
}

async function askRefund(
  dependencies: ProviderFeedDependencies,
  route: ChargeRoute,
  { id }: Due,
): Promise<ReturnAnswer> {
  const refund = await dependencies.database.reader().findOneOrFail(RefundEntity, { id });
  const answer = await ask(dependencies, route, refund);
  await resumeRefund(dependencies, await recordAnswer(dependencies, refund, answer, null));
  return answer;
}

async function askOrphan(
  dependencies: ProviderFeedDependencies,
  route: ChargeRoute,
  { id }: Due,
): Promise<ReturnAnswer> {
  const orphan = await dependencies.database.reader().findOneOrFail(OrphanReceiptEntity, { id });
  const answer = await ask(dependencies, route, orphan);
  await recordOrphanAnswer(dependencies, orphan, answer, null);
  return answer;
}

async function ask(
  { database }: ProviderFeedDependencies,
  route: ChargeRoute,
  {
    environment,
    accountId,
    depositId,
    ...sending
  }: Return & { environment: Environment; accountId: string; depositId: string },
): Promise<ReturnAnswer> {
  return await lookUpReturn(route, await findDeposit(database, { environment, accountId, id: depositId }), sending);
}

/**
 * A provider that knows nothing of it answers too; what it does not answer, or is still at, is asked again soon. One that is
 * done has not failed any more, unless it had come back.
 */
async function planNext(
  { database, now }: ProviderFeedDependencies,
  { record, id }: Due,
  { kind }: ReturnAnswer,
): Promise<void> {
  if (kind !== 'failed' && kind !== 'not_found' && kind !== 'done') return;
  const [row] = await database.query<{ calledAt: Date | null; rechecks: number }>(
    `update ${record} set rechecks = rechecks + 1 where id = $1 and state = 'FAILED' and recheck_at is not null
     returning called_at as "calledAt", rechecks`,
    [id],
  );
  if (!row) return;
  await database.query(
    `update ${record} set recheck_at = $2, recheck_planned_at = $2
     where id = $1 and state = 'FAILED' and recheck_at is not null`,
    [id, plannedRecheck(row, now())],
  );
}
