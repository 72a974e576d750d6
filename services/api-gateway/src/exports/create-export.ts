import type { Caller } from '@gateway/contracts/accounts';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { Export } from '@gateway/contracts/exports';
import type { ApiVersion } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import { requireCurrency, zoneDefault, type ExportRequest } from '@gateway/public-api';
import { ExportEntity, periodOf, toExport } from '#src/exports/export.ts';

/** Exports of an account that are PROCESSING at once, in both environments together. */
const runningMax = 5;
const retryAfterSec = 10;
/** What is kept of an account at once, both environments together: files, and bytes of them as they are stored. */
const filesMax = 1_000;
const storedBytesMax = 4 * 1_024 ** 3;
const fullRetryAfterSec = 3_600;
/**
 * An entry has the time at which it was decided and is visible some time later. A day is read this long after its end, and
 * a period that goes on is read up to this long ago.
 */
export const settledAfterMs = 60_000;

interface ExportCall {
  readonly caller: Caller;
  readonly apiVersion: ApiVersion;
  readonly body: ExportRequest;
}

/**
 * Records that a file is to be written; once per external id of an account.
 *
 * @throws ValidationError where a format of closed days is asked for a day that goes on
 * @throws DomainError CURRENCY_NOT_SUPPORTED; RATE_LIMITED while as many of the account are being written or kept as may be
 */
export async function createExport(
  database: Database,
  { caller, apiVersion, body }: ExportCall,
  now: Date,
): Promise<{ readonly created: boolean; readonly exported: Export }> {
  const wanted = {
    environment: caller.environment,
    accountId: caller.account.id,
    externalId: body.external_id,
    kind: body.kind,
    format: body.format,
    currency: requireCurrency(body.currency),
    fromDate: body.from,
    toDate: body.to,
    zone: body.timezone ?? zoneDefault,
    raw: body.raw ?? false,
    camtVersion: body.camt_version ?? null,
    apiVersion,
  };
  return await database.transaction(async (tx) => {
    // One after the other: two calls with one external id, and those that would be one too many together.
    await tx.sql(`select 1 from account where id = $1 for update`, [wanted.accountId]);
    const { environment, accountId, externalId } = wanted;
    const existing = await tx.em.findOne(ExportEntity, { environment, accountId, externalId });
    if (existing) return { created: false, exported: toExport(existing) };
    requireWritable(wanted, now);
    await requireRoom(tx, accountId);
    const { toMs } = periodOf(wanted);
    const isOver = toMs <= now.getTime();
    const dueAt = new Date(isOver ? Math.max(toMs + settledAfterMs, now.getTime()) : now.getTime());
    const open = { failure: null, rows: null, opening: null, closing: null, sha256: null, checkpoint: null };
    const times = { dueAt, createdAt: now, completedAt: null, expiresAt: null };
    const counts = { progress: null, claims: 0, failures: 0, restarts: 0 };
    const id = newId('export', now.getTime());
    const row = tx.em.create(ExportEntity, { id, ...wanted, status: 'PROCESSING', ...open, ...counts, ...times });
    return { created: true, exported: toExport(row) };
  });
}

/** Only CSV of statements and records may be of days that go on: what another format has booked once is not read again. */
function requireWritable(
  wanted: Pick<Export, 'kind' | 'format' | 'currency' | 'fromDate' | 'toDate' | 'zone'>,
  now: Date,
) {
  const { kind, format, currency } = wanted;
  if (format === 'cnab240' && currency !== 'BRL') {
    throw new DomainError('CURRENCY_NOT_SUPPORTED', 'CNAB 240 is a format of accounts in BRL');
  }
  const { fromMs, toMs } = periodOf(wanted);
  if (fromMs > now.getTime()) throw new ValidationError([{ path: 'from', message: 'must not be in the future' }]);
  if ((format !== 'csv' || kind === 'settlement') && toMs > now.getTime()) {
    const message = `must be a day that is over in ${wanted.zone}: this file has closed days alone`;
    throw new ValidationError([{ path: 'to', message }]);
  }
}

async function requireRoom(tx: Tx, accountId: string): Promise<void> {
  const running = await tx.em.count(ExportEntity, { accountId, status: 'PROCESSING' });
  if (running >= runningMax) {
    throw new DomainError('RATE_LIMITED', `${runningMax} exports of the account are being written already`, {
      retryAfterSec,
    });
  }
  const [kept] = await tx.sql<{ files: number; bytes: number }>(keptSql, [accountId]);
  if (!kept || (kept.files < filesMax && kept.bytes < storedBytesMax)) return;
  throw new DomainError('RATE_LIMITED', 'the files of the account have all their room until the first ones expire', {
    retryAfterSec: fullRetryAfterSec,
  });
}

const keptSql = `
  select count(*)::bigint as files, coalesce(sum(stored.bytes), 0)::bigint as bytes
  from export e, lateral (select sum(octet_length(content)) as bytes from export_part where export_id = e.id) stored
  where e.environment in ('test', 'live') and e.account_id = $1 and (e.status = 'PROCESSING' or e.expires_at > now())`;
