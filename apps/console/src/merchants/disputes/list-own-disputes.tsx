import { Link } from '@tanstack/react-router';
import { listDisputes } from '#src/generated/merchants/sdk.gen.ts';
import type { DisputeStatus } from '#src/generated/merchants/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import type { OwnDisputesQuery } from '#src/merchants/addresses.ts';
import { contract } from '#src/merchants/contract.ts';
import { ClearFilters, rowsMax, useFilter } from '#src/merchants/list-filters.tsx';
import { byDeadline } from '#src/merchants/disputes/describe-own-dispute.ts';
import { OwnListCsv } from '#src/merchants/own-list-csv.tsx';
import { Money } from '#src/money/money.tsx';
import { Deadline } from '#src/records/deadline.tsx';
import { disputeToneOf } from '#src/records/dispute-tones.ts';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime } from '#src/texts/time.ts';

/** Disputes, those first that have to be answered soonest. */
export function ListOwnDisputes({ query }: { readonly query: OwnDisputesQuery }) {
  const { texts, language } = useMerchantTexts();
  const { disputes, facts, records } = texts;
  const filter = useFilter();
  const asked = { ...query, limit: rowsMax };
  const isFiltered = query.status !== undefined && query.status !== 'OPEN';
  return (
    <div>
      <ListHead title={disputes.title}>
        <StateFilter
          states={Object.keys(disputes.status) as DisputeStatus[]}
          words={disputes.status}
          chosen={query.status}
          onChoose={(status) => filter({ status })}
        />
        <ClearFilters query={query} />
        <OwnListCsv name="disputes" read={() => bodyOf(listDisputes({ ...wholeList(query), headers: contract }))} />
      </ListHead>
      <RecordList
        name="disputes"
        follows={['med.']}
        query={query}
        read={(signal) => bodyOf(listDisputes({ query: asked, headers: contract, signal }))}
        empty={(checkedAt) => (isFiltered ? records.empty : disputes.none(checkedAt))}
      >
        {(rows, now) => (
          <RecordTable
            caption={disputes.title}
            rows={byDeadline(rows)}
            keyOf={({ id }) => id}
            columns={[
              {
                heading: facts.externalId,
                show: ({ id, external_id: externalId }) => (
                  <Link to="/disputes/$id" params={{ id }}>
                    {externalId}
                  </Link>
                ),
              },
              {
                heading: facts.status,
                show: ({ status }) => <Status tone={disputeToneOf[status]} word={disputes.status[status]} />,
              },
              { heading: disputes.due, show: (dispute) => <Deadline dispute={dispute} now={now} /> },
              {
                heading: facts.amount,
                align: 'right',
                show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
              },
              {
                heading: disputes.blocked,
                align: 'right',
                show: ({ blocked, currency }) => <Money amount={blocked} currency={currency} />,
              },
              {
                heading: disputes.opened,
                inCards: 'left out',
                show: ({ opened_at: at }) => formatTime(new Date(at), language),
              },
            ]}
          />
        )}
      </RecordList>
    </div>
  );
}
