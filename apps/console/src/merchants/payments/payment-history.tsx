import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listDepositRefunds, listTransactions } from '#src/generated/merchants/sdk.gen.ts';
import type { Deposit, LedgerEntryPage } from '#src/generated/merchants/types.gen.ts';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { refundToneOf, timelineOf } from '#src/merchants/payments/describe-payment.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { Failed, Skeleton } from '#src/records/page-states.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { Timeline } from '#src/records/timeline.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const headers = contract;

/** What went back of a payment, and what happened to it. Each part is shown though another could not be read. */
export function PaymentHistory({ deposit }: { readonly deposit: Deposit }) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { id, status, refunded } = deposit;
  // Read again when the payment changes; what was there stays until then.
  const read = { placeholderData: keepPreviousData, retry: 1 };
  const refunds = useQuery({
    ...read,
    queryKey: ['payment', id, 'refunds', status, refunded],
    queryFn: ({ signal }) => bodyOf(listDepositRefunds({ path: { id }, headers, signal })),
  });
  const entries = useQuery({
    ...read,
    queryKey: ['payment', id, 'entries', status, refunded],
    enabled: may('balances:read'),
    queryFn: async ({ signal }) =>
      (await bodyOf(listTransactions({ query: { ref_id: id }, headers, signal }))) as LedgerEntryPage,
  });
  const known = { deposit, refunds: refunds.data?.data ?? [], entries: entries.data?.data ?? [] };
  const failed = refunds.isError ? refunds : entries;
  return (
    <>
      <Refunds rows={known.refunds} />
      <section className={styles['section']}>
        <h2>{texts.records.timeline}</h2>
        {failed.error ? <Failed error={failed.error} retry={() => void failed.refetch()} /> : null}
        {refunds.isPending ? <Skeleton /> : <Timeline events={timelineOf(known, texts)} />}
      </section>
    </>
  );
}

type RefundRows = NonNullable<Parameters<typeof timelineOf>[0]['refunds']>;

function Refunds({ rows }: { readonly rows: RefundRows }) {
  const { texts, language } = useMerchantTexts();
  const { facts, refunds, records } = texts;
  if (rows.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{refunds.title}</h2>
      <RecordTable
        caption={refunds.title}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { heading: facts.externalId, show: ({ external_id: externalId }) => externalId },
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
