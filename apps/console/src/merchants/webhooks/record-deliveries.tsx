import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listDeliveries } from '#src/generated/merchants/sdk.gen.ts';
import { contract } from '#src/merchants/contract.ts';
import { DeliveryTable } from '#src/merchants/webhooks/delivery-table.tsx';
import { SectionName } from '#src/records/page-name.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface RecordDeliveriesProps {
  readonly id: string;
  /** Of the record: a change of it is sent, too. */
  readonly state: string;
}

/** What the merchant's systems were sent about a record. */
export function RecordDeliveries({ id, state }: RecordDeliveriesProps) {
  const { texts } = useMerchantTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries-of', id, state],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => bodyOf(listDeliveries({ query: { data_id: id }, headers: contract, signal })),
  });
  return (
    <section className={styles['section']}>
      <SectionName>{texts.webhooks.title}</SectionName>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data?.data.length === 0 ? <Empty>{texts.webhooks.none}</Empty> : null}
      {data && data.data.length > 0 ? <DeliveryTable rows={data.data} /> : null}
      {data || error ? null : <Skeleton lines={2} />}
    </section>
  );
}
