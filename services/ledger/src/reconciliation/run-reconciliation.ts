import type { Reconciliation } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { ProofError } from '@gateway/proof';
import { counter, type Logger } from '@gateway/runtime';
import { unlessLocked } from '#src/postgres/advisory-lock.ts';
import type { CheckpointKeys } from '#src/proof/checkpoint-keys.ts';
import { signTree } from '#src/proof/sign-checkpoint.ts';
import { preparedQuery } from '#src/proof/tree-store.ts';
import { requireRightSignatures } from '#src/proof/verify-signed.ts';
import type { ChainHead } from '#src/reconciliation/chain-heads.ts';
import type { Finding } from '#src/reconciliation/findings.ts';
import { type Found, keepFindings } from '#src/reconciliation/keep-findings.ts';
import { showReconciliation } from '#src/reconciliation/read-reconciliations.ts';
import { type CheckName, reconcile } from '#src/reconciliation/reconcile.ts';
import { walkNextChapters } from '#src/reconciliation/verify-chapter.ts';
import { shardLabel, shards } from '#src/shards.ts';

const runs = counter('gateway_ledger_reconciliations_total', 'Reconciliations by result', ['status']);

/** Any value, the same for all instances: one of them reconciles. */
const reconciliationLock = 7_470_003;

export interface ReconciliationDependencies {
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => number;
  readonly keys: CheckpointKeys;
}

/**
 * Reconciles now, with a checkpoint of each shard. The result is stored and measured, and logged as an error when there
 * is a discrepancy.
 */
export async function reconcileNow(dependencies: ReconciliationDependencies): Promise<Reconciliation> {
  const { database, logger, now } = dependencies;
  const id = newId('reconciliation');
  const startedAtMs = now();
  const heads: ChainHead[] = [];
  const refusals = await signTrees(dependencies);
  const found: Found[] = [];
  const onFindings = (check: CheckName, findings: readonly Finding[]) => void found.push({ ...check, findings });
  const checks = await reconcile(database.pool, (head) => heads.push(head), refusals, onFindings);
  const finishedAtMs = now();
  const wrong = checks.filter((check) => check.status !== 'OK');
  const status = wrong.length === 0 ? 'OK' : 'DISCREPANCY';
  await database.transaction(async (tx) => {
    await tx.sql(
      `insert into reconciliation (id, status, checks, heads, started_at, finished_at) values ($1, $2, $3, $4, $5, $6)`,
      [id, status, JSON.stringify(checks), JSON.stringify(heads), new Date(startedAtMs), new Date(finishedAtMs)],
    );
    await keepFindings(tx, id, found);
  });
  runs.add(1, { status });
  showReconciliation({ status, checks }, finishedAtMs);
  const log = { reconciliation: id, status, durationMs: finishedAtMs - startedAtMs, heads };
  if (wrong.length > 0) logger.error({ ...log, wrong }, 'the ledger does not agree with itself');
  else logger.info(log, 'ledger reconciled');
  const [startedAt, finishedAt] = [Math.floor(startedAtMs / 1_000), Math.floor(finishedAtMs / 1_000)];
  return { id, status, checks, startedAt, finishedAt, signedOff: null };
}

/**
 * @returns why a tree was not signed, or not rightly, by shard: what is found then is a finding, and the other checks are
 *   made. They are made too where the key cannot be opened: it says nothing about the books, and checkpoints that are late
 *   have an alert.
 */
async function signTrees(dependencies: ReconciliationDependencies): Promise<ReadonlyMap<string, string>> {
  const query = preparedQuery(dependencies.database);
  const refusals = new Map<string, string>();
  for (const shard of shards) {
    try {
      await signTree(dependencies, shard);
      await requireRightSignatures(query, shard);
    } catch (error) {
      if (error instanceof ProofError) refusals.set(shardLabel(shard), error.message);
      else dependencies.logger.error({ err: error, shard: shardLabel(shard) }, 'the tree could not be signed');
    }
  }
  return refusals;
}

/** The newest moment, at or before now, at which the daily reconciliation was due. */
export function dueSince(nowMs: number, hourUtc: number): Date {
  const due = new Date(nowMs);
  due.setUTCHours(hourUtc, 0, 0, 0);
  if (due.getTime() > nowMs) due.setUTCDate(due.getUTCDate() - 1);
  return due;
}

/**
 * Runs the reconciliation of the day unless one has run since it was due; a missed hour is made up for. Before it, one
 * chapter of each chain is recomputed, so that the reconciliation begins behind the newest one and reports what is found.
 */
export async function reconcileDaily(dependencies: ReconciliationDependencies, hourUtc: number): Promise<void> {
  const { database, now } = dependencies;
  await unlessLocked(database.pool, reconciliationLock, async () => {
    if (await hasRunSince(database, dueSince(now(), hourUtc))) return;
    await walkNextChapters(database.pool);
    await reconcileNow(dependencies);
  });
}

async function hasRunSince(database: Database, since: Date): Promise<boolean> {
  const rows = await database.query('select 1 from reconciliation where started_at >= $1 limit 1', [since]);
  return rows.length > 0;
}
