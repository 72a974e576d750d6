import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listDepositRefunds } from '#src/generated/merchants/sdk.gen.ts';
import type { Deposit, Refund } from '#src/generated/merchants/types.gen.ts';
import { contract } from '#src/merchants/contract.ts';
import { useEntriesOf } from '#src/merchants/history/entries-of.ts';
import { History } from '#src/merchants/history/history.tsx';
import { refundToneOf, timelineOf } from '#src/merchants/payments/describe-payment.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { SectionName } from '#src/records/page-name.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** What went back of a payment, and what happened to it. Each part is shown though another could not be read. */
export function PaymentHistory({ deposit }: { readonly deposit: Deposit }) {
  const { texts } = useMerchantTexts();
  const { id, status, refunded } = deposit;
  // Read again when the payment changes; what was there stays until then.
  const state = `${status} ${refunded}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['refunds-of', id, state],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => bodyOf(listDepositRefunds({ path: { id }, headers: contract, signal })),
  });
  const booked = useEntriesOf(id, state);
  const refunds = data?.data ?? [];
  const events = timelineOf({ deposit, refunds, entries: booked.entries }, texts);
  return (
    <>
      <Refunds rows={refunds} />
      <History
        events={events}
        error={error ?? booked.error}
        retry={() => {
          void refetch();
          booked.retry();
        }}
      />
    </>
  );
}

function Refunds({ rows }: { readonly rows: readonly Refund[] }) {
  const { texts, language } = useMerchantTexts();
  const { facts, refunds, records } = texts;
  if (rows.length === 0) return null;
  return (
    <section className={styles['section']}>
      <SectionName>{refunds.title}</SectionName>
      <RecordTable
        caption={refunds.title}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: facts.externalId,
            show: ({ id, external_id: externalId }) => (
              <Link to="/refunds/$id" params={{ id }}>
                {externalId}
              </Link>
            ),
          },
          {
            heading: facts.status,
            show: ({ status }) => <Status tone={refundToneOf[status]} word={refunds.status[status]} />,
          },
          {
            heading: facts.amount,
            align: 'right',
            show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          { heading: records.reason, show: ({ failure_message: failure, reason }) => failure ?? reason ?? '–' },
          { heading: records.returnId, show: ({ return_id: id }) => (id === null ? '–' : <RecordId id={id} />) },
          { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
        ]}
      />
    </section>
  );
}
