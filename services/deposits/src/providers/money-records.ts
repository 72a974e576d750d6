import type { getDepositMoneyRecords, listDepositMoneyRecords } from '@gateway/contracts/deposits';
import type { MoneyRecord } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { isId } from '@gateway/money';
import { pageByAccount, pageParameters, type Database } from '@gateway/persistence';

type Kind = RequestOf<typeof listDepositMoneyRecords>['kind'];

const ms = (column: string) => `floor(extract(epoch from ${column}) * 1000)::bigint as "atMs"`;
const common = (row: string) =>
  `${row}.id, ${row}.account_id as "accountId", ${row}.provider, ${row}.currency, ${row}.amount, ${row}.state`;

/**
 * What the deposit says has gone back, without what disputes have taken, and with refunds that are under way. Of one that has
 * gone back whole, and of which more has gone back than was paid or a dispute was won after all, the row says no sum: then
 * the refunds' own sum is taken.
 */
const backByRefunds = `(gone.under_way + case
      when deposit.refunded = deposit.amount and (gone.done + gone.disputed > deposit.amount or gone.was_overturned)
      then gone.done else deposit.refunded - gone.disputed end)::bigint as "backByRefunds"`;

/** How a row of each kind is shown; `deposit` is that of the record. */
const shown: Readonly<Record<Kind, string>> = {
  payment: `select 'payment' as kind, row.deposit_id as id, row.account_id as "accountId", row.provider, row.currency,
    row.amount, row.fee, row.state, deposit.state as "depositState", deposit.reference,
    coalesce(row.tracking_key, row.e2e_id) as "e2eId", null as "returnId", deposit.refunded, 0 as returned,
    case when deposit.refunded > 0 then row.deposit_id end as "depositId", ${backByRefunds},
    ${ms('row.paid_at')}`,
  refund: `select 'refund' as kind, ${common('row')}, 0 as fee, null as "depositState", substr(row.id, 5) as reference,
    row.deposit_id as "depositId", ${backByRefunds},
    coalesce(row.tracking_key, row.e2e_id) as "e2eId", row.return_id as "returnId", 0 as refunded, 0 as returned,
    ${ms('coalesce(row.finished_at, row.sent_at)')}`,
  orphan_receipt: `select 'orphan_receipt' as kind, ${common('row')}, 0 as fee, null as "depositState",
    substr(row.id, 5) as reference, coalesce(row.tracking_key, row.e2e_id) as "e2eId", row.return_id as "returnId", 0 as refunded,
    0 as returned, ${ms('row.paid_at')}`,
  dispute: `select 'dispute' as kind, ${common('row')}, 0 as fee, null as "depositState",
    deposit.reference, row.e2e_id as "e2eId", null as "returnId", 0 as refunded, row.returned, row.overturned,
    ${ms('coalesce(row.verdict_at, row.opened_at)')}`,
};

interface Table {
  readonly from: string;
  /** What its pages are ordered by; an index has it. */
  readonly order: readonly string[];
  readonly joined?: string;
}

const depositOf = `cross join lateral (
    select * from deposit where environment = row.environment and account_id = row.account_id
      and id = row.deposit_id offset 0
  ) deposit`;

/** Nothing is looked up for a payment of which nothing has gone back. */
const goneBack = (condition: string) => `left join lateral (
    select coalesce(sum(amount) filter (where state = 'DONE'), 0) as done,
      coalesce(sum(amount) filter (where state in ('SENDING', 'REVERSING')), 0) as under_way,
      (select coalesce(sum(returned), 0) from dispute
        where dispute.environment = deposit.environment and dispute.deposit_id = deposit.id) as disputed,
      exists (select from dispute where dispute.environment = deposit.environment
        and dispute.deposit_id = deposit.id and dispute.state = 'WON') as was_overturned
    from refund where refund.environment = deposit.environment and refund.deposit_id = deposit.id
  ) gone on ${condition}`;

const tables: Readonly<Record<Kind, Table>> = {
  payment: {
    ...{ from: 'payment', order: ['account_id', 'deposit_id'] },
    joined: `${depositOf} ${goneBack('deposit.refunded > 0')}`,
  },
  refund: { from: 'refund', order: ['account_id', 'id'], joined: `${depositOf} ${goneBack('true')}` },
  orphan_receipt: { from: 'orphan_receipt', order: ['id'] },
  dispute: { from: 'dispute', order: ['account_id', 'id'], joined: depositOf },
};

/** One probe per record that is asked for, of the index that has it. */
function byIdSql(kind: Kind): string {
  const { from, order, joined = '' } = tables[kind];
  const [id] = order.slice(-1);
  const ofAccount = order.length > 1 ? 'environment = $1 and account_id = asked.account_id and' : '';
  return `${shown[kind]}
  from unnest($2::text[], $3::text[]) as asked(account_id, id)
  cross join lateral (select * from ${from} where ${ofAccount} ${id} = asked.id offset 0) row ${joined}
  where row.environment = $1 and row.account_id = asked.account_id`;
}

function pageSql(kind: Kind): string {
  const { from, order, joined = '' } = tables[kind];
  const [id = '', account] = order.toReversed();
  // The account is named even where the order has none, so that both have the same parameters.
  const byId = `select * from ${from} where environment = $1 and ${id} > $3 and ${id} >= $5 and ${id} < $6
    and $2::text is not null order by ${id} limit $4`;
  return `${shown[kind]}
  from (${account === undefined ? byId : pageByAccount(from, id)}) row ${joined}
  order by ${order.map((member) => `row.${member}`).join(', ')}`;
}

const idKinds = { payment: 'deposit', refund: 'refund', orphan_receipt: 'refund', dispute: 'dispute' } as const;
const kinds = Object.keys(idKinds) as Kind[];

type Row = Omit<MoneyRecord, 'returns'>;

/** What is on record under some ids of money that moved, each account's own. */
export async function getMoneyRecords(
  database: Database,
  { environment, records }: RequestOf<typeof getDepositMoneyRecords>,
): Promise<ReplyOf<typeof getDepositMoneyRecords>> {
  const found: MoneyRecord[] = [];
  for (const kind of kinds) {
    const asked = records.filter(({ id }) => isId(idKinds[kind], id));
    if (asked.length === 0) continue;
    const params = [environment, asked.map(({ accountId }) => accountId), asked.map(({ id }) => id)];
    const rows = await database.query<Row>(byIdSql(kind), params, `money-records-${kind}`);
    found.push(...rows.map(toRecord));
  }
  return { records: found };
}

/** A page of all records of a kind. */
export async function listMoneyRecords(
  database: Database,
  { kind, ...asked }: RequestOf<typeof listDepositMoneyRecords>,
): Promise<ReplyOf<typeof listDepositMoneyRecords>> {
  const rows = await database.query<Row>(pageSql(kind), pageParameters(asked), `money-record-page-${kind}`);
  const last = rows.length === asked.limit ? rows.at(-1) : undefined;
  return { records: rows.map(toRecord), next: last ? { accountId: last.accountId, id: last.id } : null };
}

function toRecord(row: Row): MoneyRecord {
  return { ...row, returns: [] };
}
