import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Status } from '#src/look/status.tsx';
import { refundToneOf, toneOf as paymentToneOf } from '#src/merchants/payments/describe-payment.ts';
import { toneOf as payoutToneOf } from '#src/merchants/payouts/describe-own-payout.ts';
import { find, type Found } from '#src/merchants/search/find.ts';
import { Money } from '#src/money/money.tsx';
import { disputeToneOf } from '#src/records/dispute-tones.ts';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './find-records.module.css';

const pageOf = {
  payment: '/payments/$id',
  payout: '/payouts/$id',
  refund: '/refunds/$id',
  dispute: '/disputes/$id',
} as const satisfies Readonly<Record<Found['kind'], string>>;

/** Records by one exact value; the only one that is found opens at once. */
export function FindRecords({ q }: { readonly q: string }) {
  const { texts } = useMerchantTexts();
  const { search } = texts;
  const navigate = useNavigate();
  const { data, error, refetch, isLoading } = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => find(q, signal),
    enabled: q !== '',
  });
  const only = data?.length === 1 ? data[0] : undefined;
  const page = only && pageOf[only.kind];
  const id = only?.record.id;
  useEffect(() => {
    if (page !== undefined && id !== undefined) void navigate({ to: page, params: { id }, replace: true });
  }, [page, id, navigate]);
  return (
    <section className={styles['results']}>
      <title>{`${search.label} · ${texts.product}`}</title>
      <h1>{q === '' ? search.label : search.title(q)}</h1>
      {q === '' ? <Empty>{search.hint}</Empty> : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data?.length === 0 ? <Empty>{`${search.none(q)} ${search.noneHint}`}</Empty> : null}
      {data && data.length > 0 ? <Results rows={data} /> : null}
      {isLoading ? <Skeleton /> : null}
    </section>
  );
}

function Results({ rows }: { readonly rows: readonly Found[] }) {
  const { texts } = useMerchantTexts();
  const { search, facts, payments, payouts, refunds, disputes } = texts;
  const kinds = { payment: payments.one, payout: payouts.one, refund: refunds.one, dispute: disputes.one };
  return (
    <RecordTable
      caption={search.label}
      rows={rows}
      keyOf={({ record: { id } }) => id}
      columns={[
        {
          heading: facts.externalId,
          show: ({ kind, record: { id, external_id: externalId } }) => (
            <Link to={pageOf[kind]} params={{ id }}>
              {externalId}
            </Link>
          ),
        },
        { heading: facts.kind, show: ({ kind }) => kinds[kind] },
        { heading: facts.status, show: (found) => <State found={found} /> },
        {
          heading: facts.amount,
          align: 'right',
          show: ({ record: { amount, currency } }) => <Money amount={amount} currency={currency} />,
        },
        { heading: facts.record, show: ({ record: { id } }) => <code title={id}>{shortId(id)}</code> },
      ]}
    />
  );
}

function State({ found }: { readonly found: Found }) {
  const { texts } = useMerchantTexts();
  const { payments, payouts, refunds, disputes } = texts;
  switch (found.kind) {
    case 'payment':
      return <Status tone={paymentToneOf[found.record.status]} word={payments.status[found.record.status]} />;
    case 'payout':
      return <Status tone={payoutToneOf[found.record.status]} word={payouts.status[found.record.status]} />;
    case 'refund':
      return <Status tone={refundToneOf[found.record.status]} word={refunds.status[found.record.status]} />;
    case 'dispute':
      return <Status tone={disputeToneOf[found.record.status]} word={disputes.status[found.record.status]} />;
  }
}
