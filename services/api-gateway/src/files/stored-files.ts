import { hash } from 'node:crypto';
import type { StoredFile } from '@gateway/contracts/deposits';
import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import { type Environment, unixSeconds } from '@gateway/contracts/values';
import { isId, newId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import type { FileResource } from '@gateway/public-api';
import { startLoop, type Logger } from '@gateway/runtime';
import { mediaTypeOf } from '#src/files/check-file.ts';
import type { ReceivedFile } from '#src/files/receive-file.ts';

/** Of an account, in both environments together: files that no evidence names, and bytes of all of them. */
const unusedMax = 100;
const bytesMax = 2 * 1_024 ** 3;
/** A file that no evidence names by then is dropped. */
const unusedDays = 7;
const droppedAtOnce = 100;
const dropIntervalMs = 600_000;

export interface FileOwner {
  readonly environment: Environment;
  readonly accountId: string;
}

const columns = 'id, name, media_type as "mediaType", bytes, sha256';

/**
 * Stores a file, which never changes from then on.
 *
 * @throws ValidationError naming `file` for what is no evidence; DomainError LIMIT_REACHED
 */
export async function storeFile(
  database: Database,
  { environment, accountId }: FileOwner,
  { name, content }: ReceivedFile,
  now: Date,
): Promise<FileResource> {
  const mediaType = mediaTypeOf(content);
  const file: StoredFile = {
    id: newId('file', now.getTime()),
    name,
    mediaType,
    bytes: content.length,
    sha256: hash('sha256', content),
  };
  await database.transaction(async (tx) => {
    // One after the other: two that would be one too many together.
    await tx.sql(`select 1 from account where id = $1 for update`, [accountId]);
    await requireRoom(tx, accountId);
    await tx.sql(
      `insert into evidence_file (id, environment, account_id, name, media_type, bytes, sha256, content, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [file.id, environment, accountId, name, mediaType, file.bytes, file.sha256, content, now],
    );
  });
  return shownFile(file, environment, now);
}

async function requireRoom(tx: Tx, accountId: string): Promise<void> {
  const [kept] = await tx.sql<{ unused: number; bytes: number }>(
    `select count(*) filter (where attached_at is null)::bigint as unused, coalesce(sum(bytes), 0)::bigint as bytes
     from evidence_file where account_id = $1`,
    [accountId],
  );
  if (!kept || (kept.unused < unusedMax && kept.bytes < bytesMax)) return;
  throw new DomainError(
    'LIMIT_REACHED',
    `the account has ${unusedMax} files that no evidence names, or 2 GiB of files`,
  );
}

function shownFile({ mediaType, ...file }: StoredFile, environment: Environment, createdAt: Date): FileResource {
  return { ...file, object: 'file', media_type: mediaType, environment, created_at: unixSeconds(createdAt) };
}

/** @throws NotFoundError also for the files of others */
export async function findFile(
  database: Database,
  { environment, accountId }: FileOwner,
  id: string,
): Promise<FileResource> {
  const [found] = isId('file', id)
    ? await database.query<StoredFile & { createdAt: Date }>(
        `select ${columns}, created_at as "createdAt" from evidence_file
         where id = $1 and environment = $2 and account_id = $3`,
        [id, environment, accountId],
      )
    : [];
  if (!found) throw new NotFoundError('file');
  const { createdAt, ...file } = found;
  return shownFile(file, environment, createdAt);
}

/** @throws NotFoundError also for the files of others */
export async function contentOf(database: Database, owner: FileOwner, id: string) {
  const { media_type: mediaType, name } = await findFile(database, owner, id);
  const [found] = await database.query<{ content: Buffer }>(`select content from evidence_file where id = $1`, [id]);
  if (!found) throw new NotFoundError('file');
  return { content: found.content, mediaType, name };
}

interface NamedFile {
  readonly id: string;
  readonly sha256: string;
}

/**
 * The files that evidence names, which are kept with it from then on. They are marked before the evidence is recorded: one
 * that is marked in vain is kept, and none that is named is dropped.
 *
 * @throws ValidationError naming each that the account does not have, or whose content is another one
 */
export async function attachFiles(
  database: Database,
  { environment, accountId }: FileOwner,
  named: readonly NamedFile[],
): Promise<StoredFile[]> {
  if (named.length === 0) return [];
  return await database.transaction(async (tx) => {
    const found = await tx.sql<StoredFile>(
      `update evidence_file set attached_at = coalesce(attached_at, clock_timestamp())
       where environment = $1 and account_id = $2 and id = any($3) returning ${columns}`,
      [environment, accountId, named.map(({ id }) => id)],
    );
    const byId = new Map(found.map((file) => [file.id, file]));
    const faults = named.flatMap(({ id, sha256 }, at) => {
      const file = byId.get(id);
      if (!file) return [{ path: `files.${at}.id`, message: 'is no file of this account and environment' }];
      if (file.sha256 !== sha256) return [{ path: `files.${at}.sha256`, message: 'is not the SHA-256 of the file' }];
      return [];
    });
    if (faults.length > 0) throw new ValidationError(faults);
    return named.flatMap(({ id }) => byId.get(id) ?? []);
  });
}

/** Drops files that no evidence names, in time. */
export function keepFiles(database: Database, logger: Logger): AsyncDisposable {
  const work = async () => (await dropUnused(database)) === droppedAtOnce;
  return startLoop({ name: 'keep files', intervalMs: dropIntervalMs, logger, work });
}

/** @returns how many it dropped */
export async function dropUnused(database: Database): Promise<number> {
  const dropped = await database.query(
    `delete from evidence_file where id in (
       select id from evidence_file where attached_at is null and created_at < now() - $1 * interval '1 day'
       limit $2 for update skip locked) and attached_at is null returning id`,
    [unusedDays, droppedAtOnce],
  );
  return dropped.length;
}
