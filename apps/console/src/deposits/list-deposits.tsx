import { ListCsv } from '#src/changes/list-csv.tsx';
import { toneOf } from '#src/deposits/describe-deposit.ts';
import { listDeposits } from '#src/generated/sdk.gen.ts';
import type { ListDepositsData } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordName } from '#src/records/record-name.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { StateFilters } from '#src/records/state-filters.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

export type DepositsQuery = NonNullable<ListDepositsData['query']>;

/** Deposits of all accounts, newest first. */
export function ListDeposits({ query }: { readonly query: DepositsQuery }) {
  const { texts, language } = useOperatorTexts();
  const { deposits, facts, records } = texts;
  return (
    <>
      <StateFilters
        title={deposits.title}
        path="/deposits"
        query={query}
        words={deposits.status}
        more={[{ name: 'payer_document', label: texts.list.document, kind: 'text' }]}
      >
        <ListCsv name="deposits" read={() => bodyOf(listDeposits(wholeList(query)))} />
      </StateFilters>
      <RecordList
        name="deposits"
        follows={['deposit.']}
        query={query}
        read={(signal) => bodyOf(listDeposits({ query, signal }))}
        empty={() => records.empty}
      >
        {(rows) => (
          <RecordTable
            caption={deposits.title}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                heading: facts.record,
                show: ({ id, environment }) => <RecordName kind="deposit" id={id} environment={environment} />,
              },
              {
                heading: facts.status,
                show: ({ status }) => <Status tone={toneOf[status]} word={deposits.status[status]} />,
              },
              {
                heading: facts.amount,
                align: 'right',
                show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
              },
              { heading: facts.externalId, show: ({ external_id: externalId }) => externalId },
              { heading: facts.account, show: ({ account_id: id }) => <AccountLink id={id} /> },
              { heading: facts.provider, inCards: 'left out', show: ({ provider }) => provider },
              { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
            ]}
          />
        )}
      </RecordList>
    </>
  );
}
