import { ValidationError } from '@gateway/contracts/errors';
import type { listReconciliations, Reconciliation } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';

const columns = `id, status, checks, floor(extract(epoch from started_at))::bigint as "startedAt",
  floor(extract(epoch from finished_at))::bigint as "finishedAt"`;

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
    `select ${columns} from reconciliation
      where ($1::text is null or id < $1) and ($3::text is null or status = $3)
        and ($4::bigint is null or started_at >= to_timestamp($4))
        and ($5::bigint is null or started_at < to_timestamp($5 + 1))
      order by id desc limit $2`,
    [cursor ?? null, limit + 1, status ?? null, from ?? null, to ?? null],
  );
  const reconciliations = rows.slice(0, limit);
  return { reconciliations, nextCursor: rows.length > limit ? (reconciliations.at(-1)?.id ?? null) : null };
}
