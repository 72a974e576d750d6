import { ListCsv } from '#src/changes/list-csv.tsx';
import { listPayouts } from '#src/generated/sdk.gen.ts';
import type { ListPayoutsData, OperatorPayout } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { toneOf } from '#src/payouts/describe-payout.ts';
import { AccountLink } from '#src/records/account-link.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordName } from '#src/records/record-name.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { StateFilters } from '#src/records/state-filters.tsx';
import { stuckColumn } from '#src/records/stuck-since.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

export type PayoutsQuery = NonNullable<ListPayoutsData['query']>;

interface ListPayoutsProps {
  /** What the address says: filters and cursor. */
  readonly query: PayoutsQuery;
}

/** Payouts of all accounts, newest first. */
export function ListPayouts({ query }: ListPayoutsProps) {
  const { texts } = useOperatorTexts();
  const { facts, list, payouts, records } = texts;
  return (
    <>
      <StateFilters
        title={payouts.title}
        path="/payouts"
        query={query}
        words={payouts.status}
        hasAttention
        more={[
          { name: 'kind', label: facts.kind, kind: 'text', values: payouts.kind },
          { name: 'recipient_document', label: list.document, kind: 'text' },
          { name: 'pix_key', label: facts.key, kind: 'text' },
        ]}
      >
        <ListCsv name="payouts" read={() => bodyOf(listPayouts(wholeList(query)))} />
      </StateFilters>
      <RecordList
        name="payouts"
        follows={['payout.']}
        query={query}
        read={(signal) => bodyOf(listPayouts({ query, signal }))}
        empty={(checkedAt) => (query.attention === 'true' ? records.nothingStuck(checkedAt) : records.empty)}
      >
        {(rows, now) => <PayoutTable rows={rows} now={now} />}
      </RecordList>
    </>
  );
}

function PayoutTable({ rows, now }: { readonly rows: readonly OperatorPayout[]; readonly now: Date }) {
  const { texts, language } = useOperatorTexts();
  const { facts, payouts } = texts;
  return (
    <RecordTable
      caption={payouts.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: facts.record,
          show: ({ id, environment }) => <RecordName kind="payout" id={id} environment={environment} />,
        },
        { heading: facts.status, show: ({ status }) => <Status tone={toneOf[status]} word={payouts.status[status]} /> },
        {
          heading: facts.amount,
          align: 'right',
          show: ({ amount_cents, currency }) => <Money amount={amount_cents} currency={currency} />,
        },
        { heading: facts.recipient, show: ({ recipient }) => recipient.name ?? '–' },
        { heading: facts.account, show: ({ account_id: id }) => <AccountLink id={id} /> },
        { heading: facts.provider, inCards: 'left out', show: ({ provider }) => provider },
        stuckColumn(texts, language, now),
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
