import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { getReconciliation, listReconciliations, Reconciliation } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { pageOf, type Database } from '@gateway/persistence';
import { level, startLoop, type Logger } from '@gateway/runtime';
import { countNotCompared } from '#src/reconciliation/check-provider-balances.ts';

const sampleIntervalMs = 30_000;

const agrees = level('gateway_ledger_reconciliation_ok', 'Whether the last reconciliation found nothing wrong');
const checksOk = level('gateway_ledger_check_ok', 'Whether a check of the last reconciliation found nothing wrong', [
  'check',
  'environment',
]);
const notCompared = level(
  'gateway_ledger_providers_not_compared',
  'Accounts at live providers with money that nothing has been compared with for an hour',
);
const finished = level('gateway_ledger_reconciliation_finished_seconds', 'When the last one ended, in Unix seconds');

/** Of the record, under the names of its members. */
export const reconciliationColumns = `id, status, checks, signed_off as "signedOff", floor(extract(epoch from started_at))::bigint as "startedAt",
  floor(extract(epoch from finished_at))::bigint as "finishedAt"`;

/** @throws NotFoundError */
export async function readReconciliation(
  database: Database,
  { id }: RequestOf<typeof getReconciliation>,
): Promise<ReplyOf<typeof getReconciliation>> {
  const found = await database.query<Reconciliation>(
    `select ${reconciliationColumns} from reconciliation where id = $1`,
    [id],
  );
  const [reconciliation] = found;
  if (!reconciliation) throw new NotFoundError('reconciliation');
  return { reconciliation };
}

/** @throws ValidationError on `cursor` when there is no such reconciliation */
export async function readReconciliations(
  database: Database,
  { limit, cursor, status, from, to }: RequestOf<typeof listReconciliations>,
): Promise<ReplyOf<typeof listReconciliations>> {
  if (cursor !== undefined) {
    const found = await database.query('select 1 from reconciliation where id = $1', [cursor]);
    if (found.length === 0) throw new ValidationError([{ path: 'cursor', message: 'is not a reconciliation' }]);
  }
  const rows = await database.query<Reconciliation>(
    `select ${reconciliationColumns} from reconciliation
      where ($1::text is null or id < $1) and ($3::text is null or status = $3)
        and ($4::float8 is null or started_at >= to_timestamp($4))
        and ($5::float8 is null or started_at < to_timestamp($5))
      order by id desc limit $2`,
    [cursor ?? null, limit + 1, status ?? null, from ?? null, to ?? null],
  );
  const { rows: reconciliations, nextCursor } = pageOf(rows, limit);
  return { reconciliations, nextCursor };
}

/** Read from the table, so that a discrepancy stays visible after a restart. */
export function observeReconciliation(database: Database, logger: Logger): AsyncDisposable {
  return startLoop({
    name: 'reconciliation metrics',
    intervalMs: sampleIntervalMs,
    logger,
    work: async () => {
      const [last] = await database.query<Shown & { finished_at: Date }>(
        'select status, checks, finished_at from reconciliation order by id desc limit 1',
      );
      notCompared.set(await countNotCompared(database));
      if (last) showReconciliation(last, last.finished_at.getTime());
    },
  });
}

type Shown = Pick<Reconciliation, 'status' | 'checks'>;

export function showReconciliation({ status, checks }: Shown, finishedAtMs: number): void {
  agrees.set(status === 'OK' ? 1 : 0);
  for (const check of checks) {
    checksOk.set(check.status === 'OK' ? 1 : 0, { check: check.name, environment: check.environment });
  }
  finished.set(finishedAtMs / 1_000);
}
