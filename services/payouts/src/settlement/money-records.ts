import type { MoneyRecord } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { getPayoutMoneyRecords, listPayoutMoneyRecords } from '@gateway/contracts/payouts';
import { isId } from '@gateway/money';
import { pageByAccount, pageParameters, type Database } from '@gateway/persistence';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { returnName } from '#src/settlement/ledger-commands.ts';

const shownSql = `
  select 'payout' as kind, row.id, row.account_id as "accountId", row.provider, row.currency, row.amount, row.fee,
    row.state, null as "depositState", row.reference, row.e2e_id as "e2eId", null as "returnId", 0 as refunded,
    row.returned, row.returns,
    floor(extract(epoch from coalesce(row.paid_at, row.sent_at, row.created_at)) * 1000)::bigint as "atMs"`;

/** One probe of the primary key per payout that is asked for. */
const byIdSql = `${shownSql}
  from unnest($2::text[], $3::text[]) as asked(account_id, id)
  cross join lateral (
    select * from payout where environment = $1 and account_id = asked.account_id and id = asked.id offset 0
  ) row`;

const pageSql = `${shownSql}
  from (${pageByAccount('payout')}) row
  order by row.account_id, row.id`;

type Row = Omit<MoneyRecord, 'returns' | 'transfers'> & Pick<PayoutRow, 'returns'>;

/** What is on record of some payouts, each account's own. */
export async function getMoneyRecords(
  { database }: { readonly database: Database },
  { environment, records }: RequestOf<typeof getPayoutMoneyRecords>,
): Promise<ReplyOf<typeof getPayoutMoneyRecords>> {
  const asked = records.filter(({ id }) => isId('payout', id));
  const params = [environment, asked.map(({ accountId }) => accountId), asked.map(({ id }) => id)];
  return { records: (await database.query<Row>(byIdSql, params, 'money-records')).map(toRecord) };
}

/** A page of all payouts. */
export async function listMoneyRecords(
  { database }: { readonly database: Database },
  asked: RequestOf<typeof listPayoutMoneyRecords>,
): Promise<ReplyOf<typeof listPayoutMoneyRecords>> {
  const rows = await database.query<Row>(pageSql, pageParameters(asked), 'money-record-page');
  const last = rows.length === asked.limit ? rows.at(-1) : undefined;
  return { records: rows.map(toRecord), next: last ? { accountId: last.accountId, id: last.id } : null };
}

function toRecord({ returns, ...row }: Row): MoneyRecord {
  const parts = returns.filter(({ notBooked }) => !notBooked);
  return {
    ...row,
    transfers: [],
    returns: parts.map((part) => ({
      returnId: part.returnId,
      name: returnName(part),
      amount: part.amount,
      isCredited: part.credited,
    })),
  };
}
