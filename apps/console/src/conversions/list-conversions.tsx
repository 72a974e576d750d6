import { Link } from '@tanstack/react-router';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { ConversionSwitch } from '#src/conversions/conversion-switch.tsx';
import { listConversions } from '#src/generated/sdk.gen.ts';
import type { ListConversionsData, OperatorConversion } from '#src/generated/types.gen.ts';
import { Money } from '#src/money/money.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

export type ConversionsQuery = NonNullable<ListConversionsData['query']>;

/** Conversions of all accounts, newest first, below what is owed of them and not bought yet. */
export function ListConversions({ query }: { readonly query: ConversionsQuery }) {
  const { texts } = useOperatorTexts();
  const { conversions } = texts;
  const may = useMay();
  return (
    <>
      <ListHead title={conversions.title}>
        <ListCsv name="conversions" read={() => bodyOf(listConversions(wholeList(query)))} />
      </ListHead>
      {may('operations:read') ? <ConversionSwitch /> : null}
      <RecordList
        name="conversions"
        follows={['conversion.']}
        query={query}
        read={(signal) => bodyOf(listConversions({ query, signal }))}
        empty={() => conversions.empty}
      >
        {(rows) => <ConversionTable rows={rows} />}
      </RecordList>
    </>
  );
}

function ConversionTable({ rows }: { readonly rows: readonly OperatorConversion[] }) {
  const { texts, language } = useOperatorTexts();
  const { conversions, facts } = texts;
  return (
    <RecordTable
      caption={conversions.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: facts.record,
          show: ({ id, environment }) => (
            <>
              <Link to="/conversions/$id" params={{ id }}>
                <code title={id}>{shortId(id)}</code>
              </Link>{' '}
              <EnvironmentBadge environment={environment} />
            </>
          ),
        },
        {
          heading: conversions.from,
          align: 'right',
          show: ({ from_amount: amount, from }) => <Money amount={amount} currency={from} />,
        },
        {
          heading: conversions.to,
          align: 'right',
          show: ({ to_amount: amount, to }) => <Money amount={amount} currency={to} />,
        },
        { heading: conversions.rate, align: 'right', inCards: 'left out', show: ({ rate }) => rate },
        { heading: facts.account, show: ({ account_id: id }) => <AccountLink id={id} /> },
        {
          heading: conversions.covered,
          inCards: 'left out',
          show: ({ covered_by: by }) => by ?? conversions.notCovered,
        },
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
