import { ListCsv } from '#src/changes/list-csv.tsx';
import { listRefunds } from '#src/generated/sdk.gen.ts';
import type { ListRefundsData } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordName } from '#src/records/record-name.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { StateFilters } from '#src/records/state-filters.tsx';
import { stuckColumn } from '#src/records/stuck-since.tsx';
import { toneOf } from '#src/refunds/describe-refund.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

export type RefundsQuery = NonNullable<ListRefundsData['query']>;

/** Refunds of all accounts, newest first. */
export function ListRefunds({ query }: { readonly query: RefundsQuery }) {
  const { texts, language } = useOperatorTexts();
  const { facts, records, refunds } = texts;
  return (
    <>
      <StateFilters title={refunds.title} path="/refunds" query={query} words={refunds.status} hasAttention>
        <ListCsv name="refunds" read={() => bodyOf(listRefunds(wholeList(query)))} />
      </StateFilters>
      <RecordList
        name="refunds"
        follows={['refund.']}
        query={query}
        read={(signal) => bodyOf(listRefunds({ query, signal }))}
        empty={(checkedAt) => (query.attention === 'true' ? records.nothingStuck(checkedAt) : records.empty)}
      >
        {(rows, now) => (
          <RecordTable
            caption={refunds.title}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                heading: facts.record,
                show: ({ id, environment }) => <RecordName kind="refund" id={id} environment={environment} />,
              },
              {
                heading: facts.status,
                show: ({ status }) => <Status tone={toneOf[status]} word={refunds.status[status]} />,
              },
              {
                heading: facts.amount,
                align: 'right',
                show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
              },
              { heading: facts.account, show: ({ account_id: id }) => <AccountLink id={id} /> },
              { heading: facts.provider, inCards: 'left out', show: ({ provider }) => provider },
              stuckColumn(texts, language, now),
              { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
            ]}
          />
        )}
      </RecordList>
    </>
  );
}
