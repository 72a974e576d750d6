import { ValidationError } from '@gateway/contracts/errors';
import {
  ledgerEntryTypeSchema,
  type LedgerEntry,
  type LedgerEntryType,
  type listEntries,
  type showEntries as showContract,
} from '@gateway/contracts/ledger';
import type { RequestOf } from '@gateway/contracts/messages';
import type { ListOrder, ShownPage } from '@gateway/contracts/values';
import { idTimeMs, isId } from '@gateway/money';
import { idRange, pageOf, type Database } from '@gateway/persistence';
import { presenters } from '@gateway/public-api/presenters';

type Request = RequestOf<typeof listEntries>;

type EntryRow = Omit<LedgerEntry, 'createdAt'>;

export interface EntryPage {
  readonly entries: LedgerEntry[];
  readonly nextCursor: string | null;
}

const idMax = 'led_~';

const columns = `e.id, e.environment, e.account_id as "accountId", e.type, e.currency, e.amount, e.ref_type as "refType",
  e.ref_id as "refId", e.balance_after as "balanceAfter"`;

/**
 * One index range per currency of the account, merged: a page costs its own length, however long the history. Each
 * filter has a statement of its own, so that its plan can use the filter's index whatever the values.
 */
const perCurrencySql = (order: ListOrder, filter: string) => `
  select ${columns} from balance b cross join lateral (
    select * from entry
    where environment = $1 and account_id = $2 and currency = b.currency and id >= $3 and id < $4 ${filter}
    order by id ${order} limit $5
  ) e
  where b.environment = $1 and b.account_id = $2 and ($6::text is null or b.currency = $6)
  order by e.id ${order} limit $5`;
/**
 * The type is part of the text: a plan for any type would read the whole history where one type is nearly all of it.
 */
const byTypeSql = (order: ListOrder) =>
  new Map(ledgerEntryTypeSchema.options.map((type) => [type, perCurrencySql(order, `and type = '${type}'`)]));

/** A record has a handful of entries: whatever else is asked is looked at in those. */
const byRecordSql = (order: ListOrder) => `
  select ${columns} from entry e
  where e.environment = $1 and e.account_id = $2 and e.id >= $3 and e.id < $4 and ($6::text is null or e.currency = $6)
    and e.ref_id = $7 and ($8::text is null or e.type = $8)
  order by e.id ${order} limit $5`;

const statementsOf = (order: ListOrder) => ({
  byAccount: perCurrencySql(order, ''),
  byType: byTypeSql(order),
  byRecord: byRecordSql(order),
});
const statements = { asc: statementsOf('asc'), desc: statementsOf('desc') };

/**
 * A page of movements of the available balance, newest first unless asked otherwise; new ones never shift it.
 * @throws ValidationError on `cursor` when it is not an entry of this account
 */
export async function readEntries(database: Database, request: Request): Promise<EntryPage> {
  const { environment, accountId, limit, cursor, type, currency, refId, order = 'desc' } = request;
  if (cursor !== undefined) await requireOwnEntry(database, request, cursor);
  const { $gte = '', $lt = idMax } = idRange('ledgerEntry', request);
  const common = [environment, accountId, $gte, $lt, limit + 1, currency ?? null];
  const rows = await database.query<EntryRow>(...statementFor(order, common, type, refId));
  const { rows: page, nextCursor } = pageOf(rows, limit);
  return { entries: page.map(toEntry), nextCursor };
}

/** As `readEntries`, in the contract that the merchant is answered in. */
export async function showEntries(
  database: Database,
  { apiVersion, ...request }: RequestOf<typeof showContract>,
): Promise<ShownPage> {
  const { entries, nextCursor } = await readEntries(database, request);
  return { data: entries.map(presenters[apiVersion].entry), next_cursor: nextCursor };
}

function statementFor(
  order: ListOrder,
  common: unknown[],
  type?: LedgerEntryType,
  refId?: string,
): [string, unknown[], string] {
  const { byAccount, byType, byRecord } = statements[order];
  const suffix = order === 'asc' ? '-asc' : '';
  if (refId !== undefined) return [byRecord, [...common, refId, type ?? null], `entries-by-record${suffix}`];
  const ofType = type === undefined ? undefined : byType.get(type);
  if (ofType !== undefined) return [ofType, common, `entries-by-type-${type}${suffix}`];
  return [byAccount, common, `entries-by-account${suffix}`];
}

async function requireOwnEntry(database: Database, { environment, accountId }: Request, cursor: string): Promise<void> {
  const found = isId('ledgerEntry', cursor)
    ? await database.query(
        `select 1 from balance b join entry e on e.environment = b.environment and e.account_id = b.account_id
           and e.currency = b.currency and e.id = $3
         where b.environment = $1 and b.account_id = $2`,
        [environment, accountId, cursor],
        'entry-cursor',
      )
    : [];
  if (found.length === 0) throw new ValidationError([{ path: 'cursor', message: 'is not an entry of this account' }]);
}

function toEntry(row: EntryRow): LedgerEntry {
  return { ...row, createdAt: Math.floor(idTimeMs(row.id) / 1_000) };
}
