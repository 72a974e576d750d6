import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listPayouts } from '#src/generated/merchants/sdk.gen.ts';
import type { Payout } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Status } from '#src/look/status.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import type { OwnPayoutsQuery } from '#src/merchants/addresses.ts';
import { contract } from '#src/merchants/contract.ts';
import { MoreRecordFilters, ownZone, RecordFilters, rowsPerPage } from '#src/merchants/list-filters.tsx';
import { OwnListCsv } from '#src/merchants/own-list-csv.tsx';
import { ProposePayout } from '#src/merchants/payouts/propose-payout.tsx';
import { toneOf } from '#src/merchants/payouts/describe-own-payout.ts';
import { Money } from '#src/money/money.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** The payouts of the account, newest first. */
export function ListOwnPayouts({ query }: { readonly query: OwnPayoutsQuery }) {
  const { texts } = useMerchantTexts();
  const { payouts, records } = texts;
  const { may } = useWorkplace();
  const [isOpen, setOpen] = useState(false);
  const asked = { ...query, limit: rowsPerPage, zone: ownZone() };
  const isFiltered = Object.keys(query).length > 0;
  const actions = may('money:propose') ? (
    <>
      <Link to="/payouts/file">{payouts.batch.open}</Link>
      <Button look="primary" onClick={() => setOpen(true)}>
        {payouts.propose.open}
      </Button>
    </>
  ) : undefined;
  return (
    <div>
      <ListHead title={payouts.title} actions={actions}>
        <RecordFilters query={query} words={payouts.status} />
        <OwnListCsv
          name="payouts"
          read={() => bodyOf(listPayouts({ ...wholeList({ ...query, zone: ownZone() }), headers: contract }))}
        />
      </ListHead>
      <MoreRecordFilters
        query={query}
        document="recipient_document"
        more={[{ name: 'kind', label: texts.facts.kind, kind: 'text', values: payouts.kind }]}
      />
      <RecordList
        name="payouts"
        follows={['payout.']}
        query={query}
        read={(signal) => bodyOf(listPayouts({ query: asked, headers: contract, signal }))}
        empty={() => (isFiltered ? records.empty : payouts.first)}
      >
        {(rows) => <PayoutTable rows={rows} />}
      </RecordList>
      <ProposePayout open={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}

function PayoutTable({ rows }: { readonly rows: readonly Payout[] }) {
  const { texts, language } = useMerchantTexts();
  const { payouts, facts } = texts;
  return (
    <RecordTable
      caption={payouts.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: facts.externalId,
          show: ({ id, external_id: externalId }) => (
            <Link to="/payouts/$id" params={{ id }}>
              {externalId}
            </Link>
          ),
        },
        { heading: facts.status, show: ({ status }) => <Status tone={toneOf[status]} word={payouts.status[status]} /> },
        {
          heading: facts.amount,
          align: 'right',
          show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
        },
        { heading: facts.recipient, show: ({ recipient }) => recipient.name ?? '–' },
        { heading: facts.key, inCards: 'left out', show: ({ payout_key: key }) => key },
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
        { heading: facts.record, inCards: 'left out', show: ({ id }) => <code title={id}>{shortId(id)}</code> },
      ]}
    />
  );
}
