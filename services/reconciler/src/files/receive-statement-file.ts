import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { beginStatementFile as contract } from '@gateway/contracts/reconciler';
import type { RequestOf } from '@gateway/contracts/messages';
import { type Currency, newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { mappingFor, requireProvider } from '#src/files/mappings.ts';

/** What a file waits for its last chunk at most; one that was given up is deleted then. */
const uploadTimeoutMs = 3_600_000;

export interface ReceivingDependencies {
  readonly database: Database;
  /** Live providers by name. */
  readonly providers: ReadonlySet<string>;
  readonly now: () => Date;
}

/** @throws ValidationError, DomainError as the contract says */
export async function beginStatementFile(
  { database, providers, now }: ReceivingDependencies,
  request: RequestOf<typeof contract>,
): Promise<{ id: string }> {
  const { provider, currency, format, mappingVersion, dryRun, operator, account } = request;
  requireProvider(providers, provider);
  if (!dryRun) await requireFiles(database, provider, currency);
  const mapping = format === 'csv' ? await mappingFor(database, provider, dryRun ? mappingVersion : null) : undefined;
  if (format === 'csv' && !mapping) {
    const path = mappingVersion === null ? 'format' : 'mapping_version';
    throw new ValidationError([{ path, message: 'has no approved mapping for this provider' }]);
  }
  if (mapping && mapping.mapping.currency !== currency) {
    throw new ValidationError([{ path: 'currency', message: `is not the mapping's ${mapping.mapping.currency}` }]);
  }
  const id = newId('statementFile', now().getTime());
  await database.query(
    `insert into statement_file (id, provider, currency, format, mapping_version, dry_run, state, uploaded_by, received_at,
       import_due_at, account)
     values ($1, $2, $3, $4, $5, $6, 'UPLOADING', $7, $8, $9, $10)`,
    [id, provider, currency, format, mapping?.version ?? null, dryRun, operator, now(), expiryOf(now()), account],
  );
  return { id };
}

/** Lines of a list and of a file have different keys: both would be each payment twice. A day is that of one of them. */
async function requireFiles(database: Database, provider: string, currency: Currency): Promise<void> {
  const [source] = await database.query<{ kind: string }>(
    `select kind from statement_source where provider = $1 and currency = $2 and not exists (
       select from statement_period as period where (period.provider, period.currency, period.kind) = ($1, $2, 'file'))`,
    [provider, currency],
  );
  if (source?.kind !== 'list') return;
  throw new DomainError(
    'INVALID_STATE',
    `the statement of ${provider} is read from its list, and a file would double it`,
  );
}

function expiryOf(now: Date): Date {
  return new Date(now.getTime() + uploadTimeoutMs);
}

/** @throws NotFoundError, DomainError INVALID_STATE */
export async function appendStatementFile(
  { database }: Pick<ReceivingDependencies, 'database'>,
  { id, number, bytes }: { readonly id: string; readonly number: number; readonly bytes: string },
): Promise<Record<string, never>> {
  const chunk = Buffer.from(bytes, 'base64');
  await database.transaction(async (tx) => {
    const [file] = await tx.sql<{ state: string }>('select state from statement_file where id = $1 for update', [id]);
    if (!file) throw new NotFoundError('statement file');
    if (file.state !== 'UPLOADING') throw new DomainError('INVALID_STATE', 'the file is complete already');
    const [known] = await tx.sql<{ bytes: Buffer }>(
      'select bytes from statement_file_chunk where file_id = $1 and number = $2',
      [id, number],
    );
    if (known?.bytes.equals(chunk)) return;
    if (known) throw new DomainError('INVALID_STATE', `chunk ${number} is there with other bytes`);
    await tx.sql('insert into statement_file_chunk (file_id, number, bytes) values ($1, $2, $3)', [id, number, chunk]);
    await tx.sql('update statement_file set bytes = bytes + $2 where id = $1', [id, chunk.length]);
  });
  return {};
}
