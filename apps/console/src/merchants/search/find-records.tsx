import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { getDeposit, listDeposits } from '#src/generated/merchants/sdk.gen.ts';
import type { Deposit } from '#src/generated/merchants/types.gen.ts';
import { contract } from '#src/merchants/contract.ts';
import { PaymentTable } from '#src/merchants/payments/payment-table.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './find-records.module.css';

const headers = contract;
/** An end-to-end id: `E` or `D` (a return), the ISPB of the bank, and what it counts. */
const endToEnd = /^[ED]\d{8}\w{23}$/;

/** The payments with exactly this id, end-to-end id or reference. */
async function find(q: string, signal: AbortSignal): Promise<readonly Deposit[]> {
  if (q.startsWith('dep_')) {
    const path = { id: q };
    return await bodyOf(getDeposit({ path, headers, signal })).then(
      (deposit) => [deposit],
      (error: unknown) => {
        if (error instanceof Refusal && error.status === 404) return [];
        throw error;
      },
    );
  }
  const query = endToEnd.test(q) ? { e2e_id: q } : { external_id: q };
  return (await bodyOf(listDeposits({ query, headers, signal }))).data;
}

/** Payments by one exact value; the only one that is found opens at once. */
export function FindRecords({ q }: { readonly q: string }) {
  const { texts } = useMerchantTexts();
  const { search } = texts;
  const navigate = useNavigate();
  const { data, error, refetch, isLoading } = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => find(q, signal),
    enabled: q !== '',
  });
  const id = data?.length === 1 ? data[0]?.id : undefined;
  useEffect(() => {
    if (id !== undefined) void navigate({ to: '/payments/$id', params: { id }, replace: true });
  }, [id, navigate]);
  return (
    <section className={styles['results']}>
      <title>{`${search.label} · ${texts.product}`}</title>
      <h1>{q === '' ? search.label : search.title(q)}</h1>
      {q === '' ? <Empty>{search.hint}</Empty> : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data?.length === 0 ? <Empty>{`${search.none(q)} ${search.noneHint}`}</Empty> : null}
      {data && data.length > 0 ? <PaymentTable rows={data} /> : null}
      {isLoading ? <Skeleton /> : null}
    </section>
  );
}
