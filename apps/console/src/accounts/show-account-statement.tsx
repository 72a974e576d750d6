import { useNavigate } from '@tanstack/react-router';
import { AccountFrame } from '#src/accounts/account-frame.tsx';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { listAccountTransactions } from '#src/generated/sdk.gen.ts';
import type { AccountingRow, AccountingRowPage, Environment, LedgerEntryType } from '#src/generated/types.gen.ts';
import { accountingColumns } from '#src/records/accounting-columns.tsx';
import { defined } from '#src/records/defined.ts';
import { EnvironmentChoice } from '#src/records/environment-choice.tsx';
import { Filters, StateFilter } from '#src/records/list-head.tsx';
import { hasPage } from '#src/records/pages-of-records.ts';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordName } from '#src/records/record-name.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

/** Of which environment the entries are, live where the address says nothing, and of which type. */
export interface AccountStatementQuery {
  readonly environment?: Environment;
  readonly type?: LedgerEntryType;
  readonly cursor?: string;
}

interface ShowAccountStatementProps {
  readonly id: string;
  readonly query: AccountStatementQuery;
}

const asJson = { accept: 'application/json' };
const asCsv = { accept: 'text/csv' };

/** The rows that the page shows: their format is their own, in both media types. */
function wholeStatement<Query extends { readonly cursor?: string | undefined }>({ cursor: _page, ...query }: Query) {
  return { query, headers: asCsv, parseAs: 'text' as const };
}

/** How the balance of an account came about: each entry with the record behind it, and the balance after it. */
export function ShowAccountStatement({ id, query }: ShowAccountStatementProps) {
  const { texts } = useOperatorTexts();
  const { statement } = texts.accounts;
  const navigate = useNavigate();
  const { environment = 'live', type } = query;
  const asked = { ...query, environment, format: 'accounting' as const };
  const filter = (change: AccountStatementQuery | { readonly type: undefined }) => {
    const search = defined<AccountStatementQuery>({ environment, type, ...change });
    void navigate({ to: '/accounts/$id/statement', params: { id }, search });
  };
  return (
    <AccountFrame id={id}>
      {() => (
        <>
          <Filters>
            <EnvironmentChoice chosen={environment} choose={(chosen) => filter({ environment: chosen })} />
            <StateFilter
              label={statement.type}
              states={Object.keys(texts.entries) as LedgerEntryType[]}
              words={texts.entries}
              chosen={type}
              onChoose={(chosen) => filter({ type: chosen })}
            />
            <ListCsv
              name={`statement-${id}`}
              read={() => bodyOf(listAccountTransactions({ path: { id }, ...wholeStatement(asked) }))}
            />
          </Filters>
          <RecordList
            name={`statement ${id}`}
            query={asked}
            read={async (signal) =>
              // Of this format, which is asked for as JSON, the page is one of accounting rows.
              (await bodyOf(
                listAccountTransactions({ path: { id }, query: asked, headers: asJson, signal }),
              )) as AccountingRowPage
            }
            empty={() => statement.empty}
          >
            {(rows) => <Entries rows={rows} />}
          </RecordList>
        </>
      )}
    </AccountFrame>
  );
}

function Entries({ rows }: { readonly rows: readonly AccountingRow[] }) {
  const { texts, language } = useOperatorTexts();
  const { facts, accounts } = texts;
  const { statement } = accounts;
  const { first, last } = accountingColumns({ ...texts, statement }, language);
  return (
    <RecordTable
      caption={statement.title}
      rows={rows}
      keyOf={({ entry_id: id }) => id}
      besideOf={({ record_id: id }) => id}
      columns={[...first, { heading: facts.record, show: (row) => <RecordOf row={row} /> }, ...last]}
    />
  );
}

/** What an entry is about, with the merchant's own reference below it. */
function RecordOf({ row }: { readonly row: AccountingRow }) {
  const { record_type: kind, record_id: id, external_id: externalId } = row;
  return (
    <>
      {hasPage(kind) ? <RecordName kind={kind} id={id} /> : <RecordId id={id} />}
      {externalId === null ? null : <div>{externalId}</div>}
    </>
  );
}
