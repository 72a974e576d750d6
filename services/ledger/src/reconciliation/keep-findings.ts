import { NotFoundError } from '@gateway/contracts/errors';
import type { listFindings, noteFinding, ReconciliationFinding } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { pageOf, RowArrays, type Database, type Tx } from '@gateway/persistence';
import type { Finding } from '#src/reconciliation/findings.ts';
import type { CheckName } from '#src/reconciliation/reconcile.ts';

type Column = 'name' | 'environment' | 'number' | keyof Finding;

const arrays = new RowArrays<Column>([
  ['name', 'text'],
  ['environment', 'text'],
  ['number', 'integer'],
  ['kind', 'text'],
  ['text', 'text'],
  ['recordId', 'text'],
  ['entryId', 'text'],
  ['accountId', 'text'],
  ['provider', 'text'],
  ['currency', 'text'],
  ['expected', 'text'],
  ['found', 'text'],
]);

/** What one check found. */
export interface Found extends CheckName {
  readonly findings: readonly Finding[];
}

/** Keeps what the checks of a reconciliation found, in the transaction that stores it. */
export async function keepFindings(tx: Tx, reconciliationId: string, found: readonly Found[]): Promise<void> {
  // Several shards of an environment are checked by themselves.
  const numbers = new Map<string, number>();
  const rows = found.flatMap(({ name, environment, findings }) =>
    findings.map(({ expected, found: there, ...finding }) => {
      const number = (numbers.get(`${name} ${environment}`) ?? 0) + 1;
      numbers.set(`${name} ${environment}`, number);
      return { ...finding, name, environment, number, expected: textOf(expected), found: textOf(there) };
    }),
  );
  if (rows.length === 0) return;
  await tx.sql(
    `insert into reconciliation_finding (reconciliation_id, name, environment, number, kind, text, record_id, entry_id,
       account_id, provider, currency, expected, found)
     select $1::text, name, environment, number, kind, text, "recordId", "entryId", "accountId", provider, currency, expected,
       found from ${arrays.from(2, 'item')}`,
    [reconciliationId, ...arrays.parametersOf(rows)],
  );
}

function textOf(value: string | number | undefined): string | null {
  return value === undefined ? null : String(value);
}

const columns = `environment || '.' || number as id, environment, kind, text, record_id as "recordId",
  entry_id as "entryId", account_id as "accountId", provider, currency, expected, found, note`;

/** @throws NotFoundError */
export async function readFindings(
  database: Database,
  { id, name, environment, limit, cursor }: RequestOf<typeof listFindings>,
): Promise<ReplyOf<typeof listFindings>> {
  const known = await database.query('select 1 from reconciliation where id = $1', [id]);
  if (known.length === 0) throw new NotFoundError('reconciliation');
  const [after, number] = cursor === undefined ? [null, null] : placeOf(cursor);
  const rows = await database.query<ReconciliationFinding>(
    `select ${columns} from reconciliation_finding
     where reconciliation_id = $1 and name = $2 and ($3::text is null or environment = $3)
       and ($4::text is null or (environment, number) > ($4, $5::int))
     order by environment, number limit $6`,
    [id, name, environment ?? null, after, number, limit + 1],
  );
  const { rows: findings, nextCursor } = pageOf(rows, limit);
  return { findings, nextCursor };
}

/** @throws NotFoundError */
export async function writeNote(
  { database, now }: { readonly database: Database; readonly now: () => number },
  { id, name, finding, note, by }: RequestOf<typeof noteFinding>,
): Promise<ReplyOf<typeof noteFinding>> {
  const key = [id, name, ...placeOf(finding)];
  const where = `where (reconciliation_id, name, environment, number) = ($1, $2, $3, $4::int)`;
  return await database.transaction(async (tx) => {
    const select = `select ${columns} from reconciliation_finding ${where} for update`;
    const [before] = await tx.sql<ReconciliationFinding>(select, key);
    if (!before) throw new NotFoundError('finding');
    const written = JSON.stringify({ text: note, by, at: Math.floor(now() / 1_000) });
    const update = `update reconciliation_finding set note = $5::json ${where} returning ${columns}`;
    const [after] = await tx.sql<ReconciliationFinding>(update, [...key, written]);
    return { before, after: after ?? before };
  });
}

function placeOf(finding: string): readonly [string, string] {
  const [environment = '', number = ''] = finding.split('.');
  return [environment, number];
}
