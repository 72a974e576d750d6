import type { CsvMapping, StatementMapping } from '@gateway/contracts/reconciler';
import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { Database, Queries, Tx } from '@gateway/persistence';

interface MappingRow extends Omit<StatementMapping, 'createdAt' | 'approvedAt'> {
  readonly createdAt: Date;
  readonly approvedAt: Date | null;
}

const columns = `provider, version, state, mapping, proposed_by as "proposedBy", approved_by as "approvedBy",
  created_at as "createdAt", approved_at as "approvedAt"`;

function toMapping(row: MappingRow): StatementMapping {
  return { ...row, createdAt: row.createdAt.toISOString(), approvedAt: row.approvedAt?.toISOString() ?? null };
}

interface Dependencies {
  readonly database: Database;
  readonly providers: ReadonlySet<string>;
  readonly now: () => Date;
}

/** @throws ValidationError */
export function requireProvider(providers: ReadonlySet<string>, provider: string): void {
  if (providers.has(provider)) return;
  throw new ValidationError([{ path: 'provider', message: 'is none of the live providers' }]);
}

/** The next version of a provider's mapping, for dry runs until another operator approves it. */
export async function draftStatementMapping(
  { database, providers, now }: Dependencies,
  {
    provider,
    mapping,
    operator,
  }: { readonly provider: string; readonly mapping: CsvMapping; readonly operator: string },
): Promise<{ mapping: StatementMapping }> {
  requireProvider(providers, provider);
  return await database.transaction(async (tx) => {
    await lockMappings(tx, provider);
    const [row] = await tx.sql<MappingRow>(
      `insert into statement_mapping (provider, version, state, mapping, proposed_by, created_at)
       select $1, coalesce(max(version), 0) + 1, 'DRAFT', $2::jsonb, $3, $4 from statement_mapping where provider = $1
       returning ${columns}`,
      [provider, JSON.stringify(mapping), operator, now()],
    );
    if (!row) throw new Error('a mapping was not written');
    return { mapping: toMapping(row) };
  });
}

/** @throws DomainError INVALID_STATE for its proposer, and for a version behind one that is approved */
export async function approveStatementMapping(
  { database, now }: Dependencies,
  { provider, version, operator }: { readonly provider: string; readonly version: number; readonly operator: string },
): Promise<{ mapping: StatementMapping }> {
  return await database.transaction(async (tx) => {
    await lockMappings(tx, provider);
    const rows = await tx.sql<MappingRow>(
      `select ${columns} from statement_mapping where provider = $1 and version >= $2 order by version`,
      [provider, version],
    );
    const [row, ...later] = rows;
    if (row?.version !== version) throw new NotFoundError('statement mapping');
    if (row.state === 'APPROVED' && row.approvedBy === operator) return { mapping: toMapping(row) };
    if (row.state === 'APPROVED' || later.some(({ state }) => state === 'APPROVED')) {
      throw new DomainError('INVALID_STATE', 'this version of the mapping, or a later one, is approved already');
    }
    if (row.proposedBy === operator) {
      throw new DomainError('INVALID_STATE', 'a mapping is approved by another operator than its proposer');
    }
    const [approved] = await tx.sql<MappingRow>(
      `update statement_mapping set state = 'APPROVED', approved_by = $3, approved_at = $4
       where provider = $1 and version = $2 returning ${columns}`,
      [provider, version, operator, now()],
    );
    return { mapping: toMapping(approved ?? row) };
  });
}

export async function listStatementMappings(
  { database }: Pick<Dependencies, 'database'>,
  { provider }: { readonly provider: string },
): Promise<{ mappings: StatementMapping[] }> {
  const rows = await database.query<MappingRow>(
    `select ${columns} from statement_mapping where provider = $1 order by version desc limit 200`,
    [provider],
  );
  return { mappings: rows.map(toMapping) };
}

/** The mapping that was approved last, or the version that is asked for. */
export async function mappingFor(
  source: Queries,
  provider: string,
  version: number | null,
): Promise<StatementMapping | undefined> {
  const [row] = await source.query<MappingRow>(
    `select ${columns} from statement_mapping
     where provider = $1 and case when $2::integer is null then state = 'APPROVED' else version = $2 end
     order by version desc limit 1`,
    [provider, version],
  );
  return row && toMapping(row);
}

/** Versions count up without gaps. */
async function lockMappings(tx: Tx, provider: string): Promise<void> {
  await tx.sql("select pg_advisory_xact_lock(hashtextextended('statement_mapping ' || $1, 0))", [provider]);
}
