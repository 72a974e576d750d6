import { createHash } from 'node:crypto';
import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf } from '@gateway/contracts/messages';
import type { importStatementFile as contract, StatementFile } from '@gateway/contracts/reconciler';
import { type Queries, queriesIn, type Tx, violatedConstraint } from '@gateway/persistence';
import { UnreadableStatement } from '@gateway/statement-files/read';
import { dryRunOf, readChunks, storedFileFor, type StoredFile } from '#src/files/read-stored-file.ts';
import type { ReceivingDependencies } from '#src/files/receive-statement-file.ts';
import { keepAccount } from '#src/files/statement-account.ts';
import { statementFileColumns, type StatementFileRow, toStatementFile } from '#src/files/statement-file.ts';
import { itemsArrived } from '#src/matching/items-arrived.ts';
import { statementZone } from '#src/matching/kinds.ts';

/** How long an import may take before another process begins it anew; the transaction of one that died is undone by then. */
const importRetryMs = 120_000;

type Imported = ReplyOf<typeof contract>;

/**
 * Ends an upload. The file is held against the digest of its sender and read to its end before anything of it counts; a
 * dry run ends there. Its lines enter matching in one transaction with the state `IMPORTED`: a process that dies leaves it
 * `RECEIVED`, and it is begun anew.
 *
 * @throws NotFoundError, ValidationError, DomainError as the contract says
 */
export async function importStatementFile(
  dependencies: ReceivingDependencies,
  { id, chunks, sha256 }: { readonly id: string; readonly chunks: number; readonly sha256: string },
): Promise<Imported> {
  const { database, now } = dependencies;
  const file = await fileRow(database, id);
  if (file.state === 'REFUSED') throw refusalOf(file);
  if (file.state !== 'UPLOADING') return { ...(await finish(dependencies, id)), created: true, dryRun: null };
  await requireComplete(database, file, { chunks, sha256 });
  if (file.dryRun) return await endDryRun(dependencies, file);
  const known = await fileWith(database, sha256);
  if (known) return await answerWithFirst(dependencies, file, known);
  try {
    await database.query(
      `update statement_file set state = 'RECEIVED', sha256 = $2, received_at = $3, import_due_at = $4
       where id = $1 and state = 'UPLOADING'`,
      [id, sha256, now(), new Date(now().getTime() + importRetryMs)],
    );
  } catch (error) {
    // The same bytes came twice at the same moment.
    const first = violatedConstraint(error) === 'statement_file_sha256' ? await fileWith(database, sha256) : undefined;
    if (!first) throw error;
    return await answerWithFirst(dependencies, file, first);
  }
  return { ...(await finish(dependencies, id)), created: true, dryRun: null };
}

async function fileRow(source: Queries, id: string): Promise<StatementFileRow> {
  const text = `select ${statementFileColumns} from statement_file where id = $1`;
  const [row] = await source.query<StatementFileRow>(text, [id]);
  if (!row) throw new NotFoundError('statement file');
  return row;
}

async function fileWith(source: Queries, sha256: string): Promise<StatementFileRow | undefined> {
  const text = `select ${statementFileColumns} from statement_file
    where sha256 = $1 and state in ('RECEIVED', 'IMPORTED')`;
  const [row] = await source.query<StatementFileRow>(text, [sha256]);
  return row;
}

/** @throws DomainError INVALID_STATE */
async function requireComplete(
  source: Queries,
  { id }: StatementFileRow,
  sent: { readonly chunks: number; readonly sha256: string },
): Promise<void> {
  const hash = createHash('sha256');
  let chunks = 0;
  for await (const bytes of readChunks(source, id)) {
    hash.update(bytes);
    chunks += 1;
  }
  if (chunks === sent.chunks && hash.digest('hex') === sent.sha256) return;
  throw new DomainError('INVALID_STATE', 'the file did not arrive as it was sent; send it again');
}

/** The upload is deleted: the file is there. */
async function answerWithFirst(
  dependencies: ReceivingDependencies,
  upload: StatementFileRow,
  first: StatementFileRow,
): Promise<Imported> {
  await deleteUpload(dependencies, upload.id);
  for (const member of ['provider', 'currency', 'format'] as const) {
    if (upload[member] === first[member]) continue;
    throw new DomainError('INVALID_STATE', `these bytes are ${first.id} already, with ${member} ${first[member]}`);
  }
  return { ...(await finish(dependencies, first.id)), created: false, dryRun: null };
}

async function deleteUpload({ database }: Pick<ReceivingDependencies, 'database'>, id: string): Promise<void> {
  await database.query(`delete from statement_file where id = $1 and state = 'UPLOADING'`, [id]);
}

async function endDryRun(dependencies: ReceivingDependencies, row: StatementFileRow): Promise<Imported> {
  const { database } = dependencies;
  try {
    const file = await storedFileFor(database, row);
    const dryRun = await database.transaction(async (tx) => await dryRunOf(tx, file));
    return { file: null, created: false, dryRun };
  } catch (error) {
    throw error instanceof UnreadableStatement ? unreadable(error) : error;
  } finally {
    await deleteUpload(dependencies, row.id);
  }
}

/** Imports a file that is complete, or finds that it was. @throws ValidationError when it cannot be read */
async function finish(dependencies: ReceivingDependencies, id: string): Promise<{ file: StatementFile }> {
  const { database } = dependencies;
  const row = await fileRow(database, id);
  if (row.state === 'REFUSED') throw refusalOf(row);
  if (row.state === 'RECEIVED') {
    try {
      const file = await storedFileFor(database, row);
      // Matching waits for the transaction that follows, so what would refuse the file is found before it.
      await database.transaction(async (tx) => await readWhole(tx, file, () => undefined));
      await database.transaction(async (tx) => await takeLines(tx, file, dependencies.now()));
    } catch (error) {
      if (!(error instanceof UnreadableStatement)) throw error;
      await refuse(dependencies, id, error);
      throw unreadable(error);
    }
  }
  return { file: toStatementFile(await fileRow(database, id)) };
}

/** All lines of the file, its state and its days: or nothing. */
async function takeLines(tx: Tx, file: StoredFile, now: Date): Promise<void> {
  const { id, provider, currency } = file.row;
  await tx.sql("select pg_advisory_xact_lock(hashtextextended('statement_file ' || $1 || $2, 0))", [
    provider,
    currency,
  ]);
  const [current] = await tx.sql<{ state: string }>('select state from statement_file where id = $1 for update', [id]);
  if (current?.state !== 'RECEIVED') return;
  const summary = await readWhole(tx, file, async ({ lines }) => await itemsArrived(tx, { lines }, now));
  await keepAccount(tx, file.row, summary.account, now);
  await tx.sql(
    `insert into statement_source (provider, currency, kind, compared_from)
     select $1, $2, 'file', greatest($3::date::timestamp at time zone $4, $3::date::timestamp at time zone $5)
     where $3::text is not null
     on conflict do nothing`,
    // In a zone to the east the day begins while days are closed for the one before, which no file has.
    [provider, currency, summary.fromDay, file.zone, statementZone],
  );
  await tx.sql(
    `update statement_file set state = 'IMPORTED', summary = $2::jsonb, from_day = $3::date, to_day = $4::date,
       import_due_at = null where id = $1`,
    [id, JSON.stringify(summary), summary.fromDay, summary.toDay],
  );
}

/** @throws UnreadableStatement for what it is alone, and for what it is beside the files that are there */
async function readWhole(tx: Tx, file: StoredFile, take: Parameters<StoredFile['linesIn']>[2]) {
  const summary = await file.linesIn(tx, readChunks(queriesIn(tx), file.row.id), take);
  await requireOneFormat(tx, file, summary);
  return summary;
}

/** A bank names one line differently in each of its formats: in two of them it would be two lines. */
async function requireOneFormat(tx: Tx, { row }: StoredFile, days: { fromDay: string | null; toDay: string | null }) {
  const [other] = await tx.sql<{ id: string }>(
    `select id from statement_file where provider = $1 and currency = $2 and state = 'IMPORTED'
       and (format, coalesce(mapping_version, 0)) <> ($3, coalesce($4::integer, 0))
       and from_day <= $6::date and to_day >= $5::date limit 1`,
    [row.provider, row.currency, row.format, row.mappingVersion, days.fromDay, days.toDay],
  );
  if (!other) return;
  throw new UnreadableStatement(1, 'days', `are those of ${other.id} too, which has another format or mapping`);
}

async function refuse(
  { database }: ReceivingDependencies,
  id: string,
  { line, field, reason }: UnreadableStatement,
): Promise<void> {
  await database.transaction(async (tx) => {
    const refused = await tx.sql(
      `update statement_file set state = 'REFUSED', refusal = $2::jsonb, import_due_at = null
       where id = $1 and state = 'RECEIVED' returning id`,
      [id, JSON.stringify({ line, field, reason })],
    );
    if (refused.length > 0) await tx.sql('delete from statement_file_chunk where file_id = $1', [id]);
  });
}

function unreadable({ line, field, reason }: UnreadableStatement): ValidationError {
  return new ValidationError([{ path: 'file', message: `line ${line}, ${field}: ${reason}` }]);
}

function refusalOf({ refusal }: StatementFileRow): ValidationError {
  const { line = 1, field = 'file', reason = 'was refused' } = refusal ?? {};
  return new ValidationError([{ path: 'file', message: `line ${line}, ${field}: ${reason}` }]);
}

export const importDue = '(select min(import_due_at) from statement_file where import_due_at is not null)';

/**
 * Begins anew what a process left behind that died: an import, or an upload that was given up. Each is due again later
 * before it is tried, so that one which fails for another reason than its content keeps no other file waiting.
 */
export async function resumeImports(dependencies: ReceivingDependencies): Promise<void> {
  const { database, now } = dependencies;
  const due = await database.query<{ id: string; state: string }>(
    `update statement_file set import_due_at = $2 where state in ('UPLOADING', 'RECEIVED') and id in (
       select id from statement_file where import_due_at <= $1 order by import_due_at limit 20) returning id, state`,
    [now(), new Date(now().getTime() + importRetryMs)],
  );
  const failures: unknown[] = [];
  for (const { id, state } of due) {
    if (state === 'UPLOADING') await deleteUpload(dependencies, id);
    else await finish(dependencies, id).catch((error: unknown) => failures.push(...unexpected(error)));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'files could not be imported');
}

/** A refusal is on record with the file. */
function unexpected(error: unknown): unknown[] {
  return error instanceof ValidationError ? [] : [error];
}
