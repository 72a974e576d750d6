import { Link } from '@tanstack/react-router';
import { listTransactions } from '#src/generated/merchants/sdk.gen.ts';
import type { AccountingRow, AccountingRowPage, LedgerEntryType } from '#src/generated/merchants/types.gen.ts';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import type { StatementQuery } from '#src/merchants/addresses.ts';
import { contract } from '#src/merchants/contract.ts';
import { ClearFilters, ownZone, PeriodFilter, rowsPerPage, useFilter } from '#src/merchants/list-filters.tsx';
import { ExportStatement } from '#src/merchants/statement/export-statement.tsx';
import { PeriodBalance } from '#src/merchants/statement/period-balance.tsx';
import { exponents } from '#src/money/format-money.ts';
import { accountingColumns } from '#src/records/accounting-columns.tsx';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './statement.module.css';

const json = { ...contract, accept: 'application/json' };
const currencies = Object.keys(exponents) as AccountingRow['currency'][];
const currencyWords = { BRL: 'BRL', MXN: 'MXN', USDT: 'USDT' } as const;

/** Every movement of the balance with what it is about, newest first, and the balance after it. */
export function Statement({ query }: { readonly query: StatementQuery }) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { statement, records, entries } = texts;
  const filter = useFilter();
  const zone = ownZone();
  const asked = { ...query, format: 'accounting', limit: rowsPerPage, zone } as const;
  const isFiltered = Object.keys(query).length > 0;
  return (
    <div className={styles['page']}>
      <ListHead title={statement.title}>
        <StateFilter
          label={statement.currency}
          states={currencies}
          words={currencyWords}
          chosen={query.currency}
          onChoose={(currency) => filter({ currency })}
        />
        <StateFilter
          label={statement.type}
          states={Object.keys(entries) as LedgerEntryType[]}
          words={entries}
          chosen={query.type}
          onChoose={(type) => filter({ type })}
        />
        <PeriodFilter query={query} />
        <ClearFilters query={query} />
        {may('exports:create') ? <ExportStatement query={query} /> : null}
      </ListHead>
      <PeriodBalance query={query} />
      <p className={styles['zone']}>{statement.zone(zone)}</p>
      <RecordList
        name="statement"
        query={query}
        read={async (signal) =>
          // Of this format, which is asked for as JSON, the page is one of accounting rows.
          (await bodyOf(listTransactions({ query: asked, headers: json, signal }))) as AccountingRowPage
        }
        empty={() => (isFiltered ? records.empty : statement.first)}
      >
        {(rows) => <Rows rows={rows} />}
      </RecordList>
    </div>
  );
}

/** The page of the record that an entry is about, for those that there are pages of. */
function RecordOf({ row }: { readonly row: AccountingRow }) {
  const { record_type: kind, record_id: id, external_id: externalId } = row;
  const shown = externalId ?? id;
  if (kind === 'deposit')
    return (
      <Link to="/payments/$id" params={{ id }}>
        {shown}
      </Link>
    );
  if (kind === 'payout')
    return (
      <Link to="/payouts/$id" params={{ id }}>
        {shown}
      </Link>
    );
  if (kind === 'refund')
    return (
      <Link to="/refunds/$id" params={{ id }}>
        {shown}
      </Link>
    );
  if (kind === 'dispute')
    return (
      <Link to="/disputes/$id" params={{ id }}>
        {shown}
      </Link>
    );
  return shown;
}

function Rows({ rows }: { readonly rows: readonly AccountingRow[] }) {
  const { texts, language } = useMerchantTexts();
  const { statement, facts } = texts;
  const { first, last } = accountingColumns(texts, language);
  return (
    <RecordTable
      caption={statement.title}
      rows={rows}
      keyOf={({ entry_id: id }) => id}
      besideOf={({ record_id: id }) => id}
      columns={[
        ...first,
        { heading: facts.externalId, show: (row) => <RecordOf row={row} /> },
        {
          heading: statement.counterparty,
          inCards: 'folded',
          show: ({ counterparty_name: name }) => name ?? '–',
        },
        ...last,
      ]}
    />
  );
}
