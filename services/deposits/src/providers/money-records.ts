import type {
  getDepositMoneyRecords,
  getGatheredTransfers as gatheredContract,
  listDepositMoneyRecords,
} from '@gateway/contracts/deposits';
import type { MoneyRecord } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { isId, rails } from '@gateway/money';
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

/** What the deposit says, which merchants read. */
const isPaid = `deposit.state in ('PAID', 'REFUNDED')`;

/**
 * How a row of each kind is shown; `deposit` is that of the record. A payment has no state where nothing was paid by what is
 * on record.
 */
const shown: Readonly<Record<Kind, string>> = {
  payment: `select 'payment' as kind, deposit.id, deposit.account_id as "accountId",
    coalesce(row.provider, deposit.provider) as provider, coalesce(row.currency, deposit.currency) as currency,
    coalesce(row.amount, deposit.amount) as amount, case when ${isPaid} then deposit.fee else row.fee end as fee,
    coalesce(row.state, case when ${isPaid} then 'MISSING' end) as state, deposit.state as "depositState",
    case when ${isPaid} then deposit.amount else 0 end as deposited, deposit.reference,
    coalesce(row.tracking_key, row.e2e_id, deposit.e2e_id) as "e2eId", others.transfers, null as "returnId",
    deposit.refunded, 0 as returned, case when deposit.refunded > 0 then deposit.id end as "depositId", ${backByRefunds},
    ${ms('coalesce(row.paid_at, deposit.paid_at)')}`,
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

const typedMethods = Object.entries(rails).flatMap(([method, { amountTypedBy }]) =>
  amountTypedBy === 'payer' ? [method] : [],
);

interface Table {
  readonly from: string;
  /** What its pages are ordered by; an index has it. */
  readonly order: readonly string[];
  readonly joined?: string;
  /** What its rows are called in what is shown of them: `row`, where it does not say. */
  readonly as?: string;
}

/** A deposit has one payment at most. */
const paymentOf = `left join lateral (
    select * from payment where environment = deposit.environment and account_id = deposit.account_id
      and deposit_id = deposit.id offset 0
  ) row on true`;

/** What went back is a record of its own. */
const isKept = `not exists (select from orphan_receipt orphan where orphan.environment = transfer.environment
        and orphan.provider = transfer.provider and orphan.e2e_id = transfer.e2e_id)`;

/** Where the payer types the amount, several transfers may make up a payment. Nothing is looked up for any other. */
const otherTransfers = `left join lateral (
    select others.transfers
    from (select where deposit.payment_method = any('{${typedMethods.join(',')}}') offset 0) as typed cross join lateral (
      select jsonb_agg(jsonb_build_object('e2eId', coalesce(transfer.tracking_key, transfer.e2e_id), 'amount', transfer.amount)
        order by transfer.paid_at, transfer.e2e_id) as transfers
      from transfer where transfer.environment = deposit.environment and transfer.account_id = deposit.account_id
        and transfer.deposit_id = deposit.id and transfer.e2e_id <> row.e2e_id and ${isKept}
    ) as others offset 0
  ) others on true`;

const depositOf = `cross join lateral (
    select * from deposit where environment = row.environment and account_id = row.account_id
      and id = row.deposit_id offset 0
  ) deposit`;

/**
 * Nothing is looked up where the condition does not hold, as for a payment of which nothing has gone back: in the condition of
 * the join, PostgreSQL would look first and ask then.
 */
const goneBack = (condition: string) => `left join lateral (
    select sums.* from (select where ${condition} offset 0) as wanted cross join lateral (
      select coalesce(sum(amount) filter (where state = 'DONE'), 0) as done,
        coalesce(sum(amount) filter (where state in ('SENDING', 'REVERSING')), 0) as under_way,
        (select coalesce(sum(returned), 0) from dispute
          where dispute.environment = deposit.environment and dispute.deposit_id = deposit.id) as disputed,
        exists (select from dispute where dispute.environment = deposit.environment
          and dispute.deposit_id = deposit.id and dispute.state = 'WON') as was_overturned
      from refund where refund.environment = deposit.environment and refund.deposit_id = deposit.id
    ) as sums offset 0
  ) gone on true`;

const tables: Readonly<Record<Kind, Table>> = {
  payment: {
    ...{ from: 'deposit', order: ['account_id', 'id'], as: 'deposit' },
    joined: `${paymentOf} ${otherTransfers} ${goneBack('deposit.refunded > 0')}`,
  },
  refund: { from: 'refund', order: ['account_id', 'id'], joined: `${depositOf} ${goneBack('true')}` },
  orphan_receipt: { from: 'orphan_receipt', order: ['id'] },
  dispute: { from: 'dispute', order: ['account_id', 'id'], joined: depositOf },
};

/** One probe per record that is asked for, of the index that has it. */
function byIdSql(kind: Kind): string {
  const { from, order, joined = '', as = 'row' } = tables[kind];
  const [id] = order.slice(-1);
  const ofAccount = order.length > 1 ? 'environment = $1 and account_id = asked.account_id and' : '';
  return `${shown[kind]}
  from unnest($2::text[], $3::text[]) as asked(account_id, id)
  cross join lateral (select * from ${from} where ${ofAccount} ${id} = asked.id offset 0) ${as} ${joined}
  where ${as}.environment = $1 and ${as}.account_id = asked.account_id`;
}

function pageSql(kind: Kind): string {
  const { from, order, joined = '', as = 'row' } = tables[kind];
  const [id = '', account] = order.toReversed();
  // The account is named even where the order has none, so that both have the same parameters.
  const byId = `select * from ${from} where environment = $1 and ${id} > $3 and ${id} >= $5 and ${id} < $6
    and $2::text is not null order by ${id} limit $4`;
  return `${shown[kind]}
  from (${account === undefined ? byId : pageByAccount(from, id)}) ${as} ${joined}
  order by ${order.map((member) => `${as}.${member}`).join(', ')}`;
}

const idKinds = { payment: 'deposit', refund: 'refund', orphan_receipt: 'refund', dispute: 'dispute' } as const;
const kinds = Object.keys(idKinds) as Kind[];

interface Row extends Omit<MoneyRecord, 'returns' | 'state' | 'transfers'> {
  readonly state: string | null;
  readonly transfers?: MoneyRecord['transfers'] | null;
}

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
    found.push(...rows.flatMap(toRecord));
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
  return { records: rows.flatMap(toRecord), next: last ? { accountId: last.accountId, id: last.id } : null };
}

/** Nothing of a deposit that was not paid. */
function toRecord({ state, transfers, ...row }: Row): MoneyRecord[] {
  return state === null ? [] : [{ ...row, state, transfers: transfers ?? [], returns: [] }];
}

const gatheredSql = `
  select deposit.reference, transfer.provider, transfer.currency,
    coalesce(transfer.tracking_key, transfer.e2e_id) as "e2eId", transfer.amount,
    floor(extract(epoch from deposit.expires_at) * 1000)::bigint as "waitsUntilMs"
  from unnest($2::text[]) as asked(reference)
  cross join lateral (select * from deposit where reference = asked.reference and environment = $1 offset 0) deposit
  join transfer on transfer.environment = $1 and transfer.account_id = deposit.account_id
    and transfer.deposit_id = deposit.id
  where deposit.state = 'PENDING' and ${isKept}`;

/** What has arrived on charges that wait for the rest. */
export async function getGatheredTransfers(
  database: Database,
  { environment, references }: RequestOf<typeof gatheredContract>,
): Promise<ReplyOf<typeof gatheredContract>> {
  type Transfer = ReplyOf<typeof gatheredContract>['transfers'][number];
  return { transfers: await database.query<Transfer>(gatheredSql, [environment, references]) };
}
