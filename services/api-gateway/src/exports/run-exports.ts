import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { DomainError } from '@gateway/contracts/errors';
import { ExportCompleted, type ExportFailure } from '@gateway/contracts/exports';
import { newId } from '@gateway/money';
import type { Bus } from '@gateway/messaging';
import { emit, type Database } from '@gateway/persistence';
import { counter, isConnectionError, type Logger } from '@gateway/runtime';
import { checkpointOfFile } from '#src/exports/checkpoint-of-file.ts';
import { partsOf } from '#src/exports/download-export.ts';
import { ExportEntity, toExport } from '#src/exports/export.ts';
import { fileWriter, type FileWriter, type Written } from '#src/exports/files.ts';
import type { Progress } from '#src/exports/progress.ts';
import { DoesNotAddUpError } from '#src/exports/read-movements.ts';

const compress = promisify(gzip);

/** A part is written well within it; after it another process may begin the part again. */
const leaseMs = 60_000;
/** Time of a page for all its questions. */
const pageTimeoutMs = 10_000;
/** A part ends with the page after which one of them is reached. */
const partCharactersMax = 1_048_576;
const partPagesMax = 20;
/** A part also ends after a third of its lease: where pages are slow, replicas would else take it from each other for ever. */
const partReadMs = leaseMs / 3;
/** The share of its time that an export leaves to requests of merchants, who are answered by the same process. */
const pauseShare = 1;
const partsHashedPerLease = 20;
const retryMs = 2_000;
/** Attempts in a row that an error of our own has ended, over some minutes. */
const failuresMax = 150;
const restartsMax = 2;
const keptMs = 7 * 86_400_000;

const finished = counter('gateway_exports_finished_total', 'Exports that were completed or have failed', ['outcome']);
finished.add(0, { outcome: 'completed' });
finished.add(0, { outcome: 'failed' });

export interface ExportDeps {
  readonly database: Database;
  readonly bus: Bus;
  readonly logger: Logger;
}

const claimSql = `
  update export set claims = claims + 1, due_at = $2
  where id = (select id from export where due_at <= $1 order by due_at limit 1 for update skip locked)
  returning id`;

/** Another process has taken the export over; what this one has written is dropped. */
class LeaseLostError extends Error {}

/** The format has no room for the movements of the period. */
class TooManyRowsError extends Error {}

/**
 * Writes one part of the export that has waited longest, so that a small export waits for a part of a large one and never
 * for the whole. A part and the progress it makes are committed together: a process that dies leaves nothing half done.
 *
 * @returns whether there was one
 */
export async function writeDuePart(deps: ExportDeps, signal: AbortSignal): Promise<boolean> {
  const { database, logger } = deps;
  const now = new Date();
  const [claimed] = await database.query<{ id: string }>(claimSql, [now, new Date(now.getTime() + leaseMs)]);
  if (!claimed) return false;
  const row = await database.reader().findOneOrFail(ExportEntity, { id: claimed.id });
  try {
    await writePart(deps, row, signal);
  } catch (error) {
    if (error instanceof LeaseLostError) return true;
    if (signal.aborted) return false;
    if (error instanceof DoesNotAddUpError) return await restart(deps, row, error);
    if (error instanceof TooManyRowsError) return await fail(deps, row, 'too_many_rows', error);
    // However long another service is away, the export goes on when it is back.
    const failures = row.failures + (isOfAnotherService(error, now.getTime() - row.createdAt.getTime()) ? 0 : 1);
    if (failures >= failuresMax) return await fail(deps, row, 'internal_error', error);
    logger.warn({ err: error, exportId: row.id }, 'a part of an export is not written yet');
    const dueAt = new Date(Date.now() + retryMs);
    await database.query(`update export set failures = $4, due_at = $3 where id = $1 and claims = $2`, [
      row.id,
      row.claims,
      dueAt,
      failures,
    ]);
  }
  return true;
}

/**
 * Another service does not answer, answers that it cannot, or has a bug that is mended there; or the database is away. A bug
 * that is there after a week has one place of the account's few for too long.
 */
function isOfAnotherService(error: unknown, ageMs: number): boolean {
  if (!(error instanceof DomainError)) return isConnectionError(error);
  return error.code === 'SERVICE_UNAVAILABLE' || (error.code === 'INTERNAL_ERROR' && ageMs < keptMs);
}

async function writePart(deps: ExportDeps, row: ExportEntity, signal: AbortSignal): Promise<void> {
  const { database } = deps;
  if (row.progress?.isEnded) return await complete(deps, row, row.progress);
  const begun = row.progress
    ? { text: '', progress: row.progress }
    : await (await writerOf(deps, row)).begin(new Date());
  const { text, progress } = await readPages(deps, row, begun, signal);
  if (!progress.isRead) {
    await keepPart(database, row, text, progress);
    return;
  }
  const end = await (await writerOf(deps, row)).end(progress);
  const kept = await keepPart(database, row, text + end, { ...progress, isEnded: true });
  await complete(deps, row, kept);
}

/** Each piece has a time limit of its own for what it asks. */
async function writerOf({ database, bus }: ExportDeps, row: ExportEntity): Promise<FileWriter> {
  return await fileWriter({ database, bus: bus.within(pageTimeoutMs) }, row);
}

/** Reads pages until the part is large enough, with a pause after each. */
async function readPages(deps: ExportDeps, row: ExportEntity, begun: Written, signal: AbortSignal): Promise<Written> {
  let { text, progress } = begun;
  const endsAtMs = Date.now() + partReadMs;
  const isFull = (pages: number) =>
    pages >= partPagesMax || text.length >= partCharactersMax || (pages > 0 && Date.now() >= endsAtMs);
  for (let pages = 0; !isFull(pages) && !progress.isRead; pages += 1) {
    const startedAt = performance.now();
    const writer = await writerOf(deps, row);
    const page = await writer.page(progress);
    text += page.text;
    progress = page.progress;
    if (writer.rowsMax !== null && progress.totals.rows > writer.rowsMax) {
      throw new TooManyRowsError(`more than ${writer.rowsMax} rows`);
    }
    if (!progress.isRead) await sleep((performance.now() - startedAt) * pauseShare, undefined, { signal });
  }
  return { text, progress };
}

/** Stores a part with the progress after it; the export is due again at once, behind all others that are due. */
async function keepPart(database: Database, row: ExportEntity, text: string, progress: Progress): Promise<Progress> {
  const content = Buffer.from(text);
  const compressed = await compress(content);
  const isEmpty = content.length === 0;
  const kept = { ...progress, parts: progress.parts + (isEmpty ? 0 : 1) };
  await database.transaction(async (tx) => {
    // A file that is written whole keeps its lease: its digest follows.
    const dueAt = new Date(Date.now() + (progress.isEnded ? leaseMs : 0));
    const held = await tx.sql(
      `update export set progress = $3, failures = 0, due_at = $4
       where id = $1 and claims = $2 and status = 'PROCESSING' returning id`,
      [row.id, row.claims, JSON.stringify(kept), dueAt],
    );
    if (held.length === 0) throw new LeaseLostError(row.id);
    if (isEmpty) return;
    await tx.sql(`insert into export_part (export_id, number, bytes, content) values ($1, $2, $3, $4)`, [
      row.id,
      progress.parts,
      content.length,
      compressed,
    ]);
  });
  return kept;
}

/** The digest is of what is stored, not of what was meant to be. */
async function complete({ database, bus, logger }: ExportDeps, row: ExportEntity, progress: Progress): Promise<void> {
  const hash = createHash('sha256');
  let parts = 0;
  for await (const content of partsOf(database, row.id)) {
    hash.update(content);
    parts += 1;
    if (parts % partsHashedPerLease === 0) await renew(database, row);
  }
  if (parts !== progress.parts) throw new Error(`${parts} of ${progress.parts} parts of ${row.id} are stored`);
  const sha256 = hash.digest('hex');
  const checkpoint = await checkpointOfFile(bus.within(pageTimeoutMs), row, progress);
  const completedAt = new Date();
  await database.transaction(async (tx) => {
    const [held] = await tx.sql(
      `select 1 from export where id = $1 and claims = $2 and status = 'PROCESSING' for update`,
      [row.id, row.claims],
    );
    if (!held) throw new LeaseLostError(row.id);
    const exported = await tx.em.findOneOrFail(ExportEntity, { id: row.id });
    tx.em.assign(exported, {
      status: 'COMPLETED',
      dueAt: null,
      rows: progress.totals.rows,
      opening: progress.opening,
      closing: progress.closing,
      sha256,
      checkpoint,
      completedAt,
      expiresAt: new Date(completedAt.getTime() + keptMs),
    });
    const occurredAt = Math.floor(completedAt.getTime() / 1_000);
    await emit(tx, ExportCompleted, { id: newId('event'), occurredAt, export: toExport(exported) });
  });
  finished.add(1, { outcome: 'completed' });
  logger.info({ exportId: row.id, kind: row.kind, format: row.format, rows: progress.totals.rows }, 'export completed');
}

async function renew(database: Database, row: ExportEntity): Promise<void> {
  const dueAt = new Date(Date.now() + leaseMs);
  await database.query(`update export set due_at = $3 where id = $1 and claims = $2`, [row.id, row.claims, dueAt]);
}

/** An entry may have become visible late; what differs again and again is an error of the ledger or of ours. */
async function restart(deps: ExportDeps, row: ExportEntity, error: DoesNotAddUpError): Promise<boolean> {
  if (row.restarts >= restartsMax) return await fail(deps, row, 'does_not_add_up', error);
  deps.logger.warn({ err: error, exportId: row.id }, 'an export does not add up and is begun again');
  await deps.database.transaction(async (tx) => {
    const held = await tx.sql(
      `update export set progress = null, restarts = restarts + 1, due_at = $3
       where id = $1 and claims = $2 and status = 'PROCESSING' returning id`,
      [row.id, row.claims, new Date(Date.now() + retryMs)],
    );
    if (held.length > 0) await tx.sql(`delete from export_part where export_id = $1`, [row.id]);
  });
  return true;
}

async function fail(deps: ExportDeps, row: ExportEntity, failure: ExportFailure, error: unknown): Promise<boolean> {
  const failed = await deps.database.transaction(async (tx) => {
    const held = await tx.sql(
      `update export set status = 'FAILED', failure = $3, due_at = null, completed_at = null
       where id = $1 and claims = $2 and status = 'PROCESSING' returning id`,
      [row.id, row.claims, failure],
    );
    if (held.length > 0) await tx.sql(`delete from export_part where export_id = $1`, [row.id]);
    return held.length > 0;
  });
  if (!failed) return true;
  if (failure !== 'too_many_rows') finished.add(1, { outcome: 'failed' });
  deps.logger.error({ err: error, exportId: row.id, reason: failure }, 'an export has failed');
  return true;
}
