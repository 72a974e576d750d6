import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ApiVersion, Environment } from '@gateway/contracts/values';
import { idTimeMs } from '@gateway/money';
import {
  allOf,
  type Condition,
  type Database,
  pageOf,
  readInTime,
  type Tx,
  wanted,
  wantedIds,
} from '@gateway/persistence';
import type { LoggedRequest } from '@gateway/public-api';
import type { PageAsked } from '#src/statements/list-answer.ts';

interface RequestRow {
  readonly id: string;
  readonly environment: Environment;
  readonly accountId: string;
  readonly publicKey: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: object | null;
  readonly status: number;
  readonly code: string | null;
  readonly elapsedMs: number;
  readonly address: string;
  readonly apiVersion: ApiVersion | null;
  readonly userAgent: string | null;
  readonly request: unknown;
  readonly response: unknown;
}

const listed = `id, environment, account_id as "accountId", public_key as "publicKey", request_id as "requestId", method,
  path, query, status, code, elapsed_ms as "elapsedMs", address, api_version as "apiVersion", user_agent as "userAgent"`;

export interface RequestFilter {
  readonly environment?: Environment | undefined;
  readonly accountId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly key?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  /** `4xx`, or one status. */
  readonly status?: string | undefined;
  readonly code?: string | undefined;
  /** Unix seconds: from the first on, and before the second. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * A page of the log, newest first, without bodies.
 *
 * @throws ValidationError naming `cursor` when it is no request of that log, or no longer; naming `from` when too much would
 *   have to be read
 */
export async function listRequests(
  database: Database,
  query: RequestFilter & PageAsked,
): Promise<{ readonly requests: LoggedRequest[]; readonly nextCursor: string | null }> {
  const { sql, values } = requestsPage(query);
  const found = await readInTime(database, async (tx) => {
    if (query.cursor !== undefined) await requireIn(tx, query, query.cursor);
    return await tx.sql<RequestRow>(sql, values);
  });
  const { rows, nextCursor } = pageOf(found, query.limit);
  return { requests: rows.map(presentRequest), nextCursor };
}

/**
 * The rows of a page, and one more. Each environment by itself is in the order of its index: of both at once every row would be
 * read, and sorted.
 */
export function requestsPage({ from, to, cursor, limit, ...filter }: RequestFilter & PageAsked) {
  const { $gte: first, $lt: end } = wantedIds('request', { from, to, cursor }).id ?? {};
  const conditions = [
    ...whoseOf(filter),
    ...wanted('public_key = ?', filter.key),
    ...wanted('method = ?', filter.method),
    ...wanted('path = ?', filter.path),
    ...wanted('code = ?', filter.code),
    ...statusConditions(filter.status),
    ...wanted('id >= ?', first),
    ...wanted('id < ?', end),
  ];
  const values: unknown[] = [];
  const newest = environmentsOf(filter).map((environment) => {
    const where = allOf([...wanted('environment = ?', environment), ...conditions], values);
    return `(select ${listed} from request_log where ${where} order by id desc limit ${limit + 1})`;
  });
  const sql = `select * from (${newest.join(' union all ')}) as found order by id desc limit ${limit + 1}`;
  return { sql, values };
}

function whoseOf({ accountId, requestId }: RequestFilter): readonly Condition[] {
  return [...wanted('account_id = ?', accountId), ...wanted('request_id = ?', requestId)];
}

function environmentsOf({ environment }: RequestFilter): readonly Environment[] {
  return environment === undefined ? ['live', 'test'] : [environment];
}

/** `4xx`, or one status. */
function statusConditions(status: string | undefined): readonly Condition[] {
  if (!status?.endsWith('xx')) return wanted('status = ?', status === undefined ? undefined : Number(status));
  const first = Number(status[0]) * 100;
  return wanted('status between ? and ?', first, first + 99);
}

async function requireIn(tx: Tx, filter: RequestFilter, cursor: string): Promise<void> {
  const values: unknown[] = [];
  const environments = wanted('environment = any(?)', environmentsOf(filter));
  const where = allOf([...environments, ...whoseOf(filter), ...wanted('id = ?', cursor)], values);
  const [row] = await tx.sql(`select 1 from request_log where ${where} limit 1`, values);
  if (!row) throw new ValidationError([{ path: 'cursor', message: 'is not the id of a record in this list' }]);
}

/**
 * A request by its id in the log, or by its `X-Request-Id`; of several with one name the last.
 *
 * @throws NotFoundError also for those of others
 */
export async function findRequest(
  database: Database,
  owner: { readonly environment: Environment; readonly accountId: string },
  id: string,
): Promise<LoggedRequest & { readonly request: unknown; readonly response: unknown }> {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(id)) throw new NotFoundError('request');
  const by = `select ${listed}, request, response from request_log where environment = $1 and account_id = $2`;
  const values = [owner.environment, owner.accountId, id];
  const [row] = await database.query<RequestRow>(
    `select * from ((${by} and id = $3) union all (${by} and request_id = $3 order by id desc limit 1)) found limit 1`,
    values,
  );
  if (!row) throw new NotFoundError('request');
  return { ...presentRequest(row), request: row.request ?? null, response: row.response ?? null };
}

function presentRequest(row: RequestRow): LoggedRequest {
  return {
    id: row.id,
    object: 'request',
    request_id: row.requestId,
    account_id: row.accountId,
    environment: row.environment,
    key: row.publicKey,
    method: row.method,
    path: row.path,
    query: (row.query as Record<string, unknown> | null) ?? null,
    status: row.status,
    code: row.code,
    latency_ms: row.elapsedMs,
    address: row.address,
    api_version: row.apiVersion,
    user_agent: row.userAgent,
    created_at: Math.floor(idTimeMs(row.id) / 1_000),
  };
}
