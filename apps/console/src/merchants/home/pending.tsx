import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getPendingBalance } from '#src/generated/merchants/sdk.gen.ts';
import { contract } from '#src/merchants/contract.ts';
import { release } from '#src/merchants/simulate/acts.ts';
import { Simulate } from '#src/merchants/simulate/simulate.tsx';
import { Money } from '#src/money/money.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatDay } from '#src/texts/time.ts';
import styles from './home.module.css';

/** When pending money comes free, by day. */
export function Pending() {
  const { texts, language } = useMerchantTexts();
  const { home, facts } = texts;
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['pending'],
    queryFn: ({ signal }) => bodyOf(getPendingBalance({ headers: contract, signal })),
  });
  if (!error && (data?.data.length ?? 0) === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{home.releases}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data ? (
        <RecordTable
          caption={home.releases}
          rows={data.data}
          keyOf={({ release_on: day, currency }) => `${day} ${currency}`}
          columns={[
            { heading: home.day, show: ({ release_on: day }) => formatDay(day, language) },
            {
              heading: facts.amount,
              align: 'right',
              show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
            },
            { heading: texts.payments.title, align: 'right', show: ({ deposits }) => deposits },
          ]}
        />
      ) : null}
      <Simulate
        acts={[release]}
        takes="charges:write"
        queryKey={['pending']}
        onDone={() => void queries.invalidateQueries({ queryKey: ['balance'] })}
      />
    </section>
  );
}
