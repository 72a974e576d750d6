import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listDeposits } from '#src/generated/merchants/sdk.gen.ts';
import { contract } from '#src/merchants/contract.ts';
import { PaymentTable } from '#src/merchants/payments/payment-table.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './home.module.css';

const rowsMax = 5;

/** The newest payments, and the way to all of them. */
export function LatestPayments() {
  const { texts } = useMerchantTexts();
  const { home, payments } = texts;
  const { data, error, refetch } = useQuery({
    queryKey: ['latest-payments'],
    queryFn: ({ signal }) => bodyOf(listDeposits({ query: { limit: rowsMax }, headers: contract, signal })),
  });
  return (
    <section className={styles['section']}>
      <header className={styles['head']}>
        <h2>{home.latest}</h2>
        {data && data.data.length > 0 ? <Link to="/payments">{home.allPayments}</Link> : null}
      </header>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data?.data.length === 0 ? <Empty>{payments.first}</Empty> : null}
      {data && data.data.length > 0 ? <PaymentTable rows={data.data} /> : null}
      {data || error ? null : <Skeleton lines={rowsMax} />}
    </section>
  );
}
