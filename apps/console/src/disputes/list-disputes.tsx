import { ListCsv } from '#src/changes/list-csv.tsx';
import { Deadline } from '#src/records/deadline.tsx';
import { disputeToneOf } from '#src/records/dispute-tones.ts';
import { listDisputes } from '#src/generated/sdk.gen.ts';
import type { ListDisputesData } from '#src/generated/types.gen.ts';
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
import { useOperatorTexts } from '#src/texts/operators.ts';

export type DisputesQuery = NonNullable<ListDisputesData['query']>;

/** Disputes of all accounts, with what is left of their deadlines. */
export function ListDisputes({ query }: { readonly query: DisputesQuery }) {
  const { texts, language } = useOperatorTexts();
  const { disputes, facts, records } = texts;
  return (
    <>
      <StateFilters title={disputes.title} path="/disputes" query={query} words={disputes.status} hasAttention>
        <ListCsv name="disputes" read={() => bodyOf(listDisputes(wholeList(query)))} />
      </StateFilters>
      <RecordList
        name="disputes"
        follows={['med.']}
        query={query}
        read={(signal) => bodyOf(listDisputes({ query, signal }))}
        empty={(checkedAt) => (query.attention === 'true' ? records.nothingStuck(checkedAt) : records.empty)}
      >
        {(rows, now) => (
          <RecordTable
            caption={disputes.title}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                heading: facts.record,
                show: ({ id, environment }) => <RecordName kind="dispute" id={id} environment={environment} />,
              },
              {
                heading: facts.status,
                show: ({ status }) => <Status tone={disputeToneOf[status]} word={disputes.status[status]} />,
              },
              { heading: disputes.due, show: (dispute) => <Deadline dispute={dispute} now={now} /> },
              {
                heading: facts.amount,
                align: 'right',
                show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
              },
              {
                heading: disputes.blocked,
                inCards: 'left out',
                align: 'right',
                show: ({ blocked_cents: blocked, currency }) => <Money amount={blocked} currency={currency} />,
              },
              { heading: facts.account, show: ({ account_id: id }) => <AccountLink id={id} /> },
              { heading: facts.provider, inCards: 'left out', show: ({ provider }) => provider },
              stuckColumn(texts, language, now),
            ]}
          />
        )}
      </RecordList>
    </>
  );
}
