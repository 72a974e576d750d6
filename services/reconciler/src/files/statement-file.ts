import type { StatementFile } from '@gateway/contracts/reconciler';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import { type Database, RecordList, wanted } from '@gateway/persistence';

/** A file as it is stored. */
export interface StatementFileRow extends Omit<StatementFile, 'receivedAt' | 'state' | 'sha256'> {
  readonly state: StatementFile['state'] | 'UPLOADING';
  readonly sha256: string | null;
  readonly receivedAt: Date;
  readonly dryRun: boolean;
  /** The account that the operator has named for it. */
  readonly account: string | null;
}

export const statementFileColumns = `id, provider, currency, format, mapping_version as "mappingVersion",
  state, sha256, bytes, summary, refusal, uploaded_by as "uploadedBy", received_at as "receivedAt", dry_run as "dryRun",
  account`;

/** As other services get it; only one that is complete is shown. */
export function toStatementFile({ dryRun: _dryRun, account: _account, ...row }: StatementFileRow): StatementFile {
  if (row.state === 'UPLOADING' || row.sha256 === null) throw new NotFoundError('statement file');
  return { ...row, state: row.state, sha256: row.sha256, receivedAt: row.receivedAt.toISOString() };
}

const files = new RecordList<StatementFileRow>({
  kind: 'statementFile',
  from: 'statement_file',
  columns: statementFileColumns,
});

interface ListAsked {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly provider?: string | undefined;
  readonly state?: StatementFile['state'] | undefined;
}

/** @throws ValidationError naming a cursor that is no file */
export async function listStatementFiles(
  { database }: { readonly database: Database },
  { limit, cursor, provider, state }: ListAsked,
): Promise<{ files: StatementFile[]; nextCursor: string | null }> {
  const page = await files.page(database, {
    limit,
    ...(cursor === undefined ? {} : { cursor }),
    owned: [{ sql: "state <> 'UPLOADING'", values: [] }],
    filters: [...wanted('provider = ?', provider), ...wanted('state = ?', state)],
  });
  if (!page) throw new ValidationError([{ path: 'cursor', message: 'is not an id of this list' }]);
  return { files: page.rows.map(toStatementFile), nextCursor: page.nextCursor };
}

/** @throws NotFoundError */
export async function getStatementFile(
  { database }: { readonly database: Database },
  { id }: { readonly id: string },
): Promise<{ file: StatementFile }> {
  const [row] = await database.query<StatementFileRow>(
    `select ${statementFileColumns} from statement_file where id = $1`,
    [id],
  );
  if (!row) throw new NotFoundError('statement file');
  return { file: toStatementFile(row) };
}
