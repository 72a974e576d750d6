import { Link, useNavigate } from '@tanstack/react-router';
import { CreateAccount } from '#src/accounts/create-account.tsx';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { listAccounts } from '#src/generated/sdk.gen.ts';
import type { Account, ListAccountsData } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { defined } from '#src/records/defined.ts';
import { ListHead } from '#src/records/list-head.tsx';
import { MoreFilters } from '#src/records/more-filters.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

export type AccountsQuery = NonNullable<ListAccountsData['query']>;

/** Merchants' accounts, newest first. */
export function ListAccounts({ query }: { readonly query: AccountsQuery }) {
  const { texts } = useOperatorTexts();
  const { accounts } = texts;
  const may = useMay();
  return (
    <>
      <ListHead title={accounts.title}>
        <AccountFilters key={query.name} query={query} />
        {may('accounts:propose') ? <CreateAccount /> : null}
        <ListCsv name="accounts" read={() => bodyOf(listAccounts(wholeList(query)))} />
      </ListHead>
      <MoreFilters filters={[{ name: 'document', label: accounts.document, kind: 'text' }]} query={{ ...query }} />
      <RecordList
        name="accounts"
        query={query}
        read={(signal) => bodyOf(listAccounts({ query, signal }))}
        empty={() => accounts.empty}
      >
        {(rows) => <AccountTable rows={rows} />}
      </RecordList>
    </>
  );
}

function AccountFilters({ query }: { readonly query: AccountsQuery }) {
  const { texts } = useOperatorTexts();
  const { accounts } = texts;
  const navigate = useNavigate();
  const { cursor: _, ...kept } = query;
  const filter = (change: Parameters<typeof defined<AccountsQuery>>[0]) =>
    void navigate({ to: '/accounts', search: defined<AccountsQuery>({ ...kept, ...change }) });
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const name = new FormData(event.currentTarget).get('name');
          filter({ name: typeof name === 'string' && name !== '' ? name : undefined });
        }}
      >
        <label>
          <span>{accounts.name}</span>
          <input type="search" name="name" defaultValue={query.name ?? ''} autoComplete="off" />
        </label>
      </form>
      <label>
        <input
          type="checkbox"
          checked={query.frozen === 'true'}
          onChange={({ target }) => filter({ frozen: target.checked ? 'true' : undefined })}
        />
        <span>{accounts.frozenFilter}</span>
      </label>
    </>
  );
}

function AccountTable({ rows }: { readonly rows: readonly Account[] }) {
  const { texts, language } = useOperatorTexts();
  const { accounts, facts } = texts;
  return (
    <RecordTable
      caption={accounts.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: accounts.name,
          show: ({ id, name }) => (
            <Link to="/accounts/$id" params={{ id }}>
              {name}
            </Link>
          ),
        },
        {
          heading: accounts.state,
          show: ({ frozen }) => (
            <Status tone={frozen ? 'bad' : 'good'} word={frozen ? accounts.frozen : accounts.active} />
          ),
        },
        { heading: accounts.document, show: ({ document }) => document ?? '–' },
        {
          heading: accounts.autoApprove,
          show: ({ auto_approve_payouts: isOn }) => (isOn ? accounts.yes : accounts.no),
        },
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
