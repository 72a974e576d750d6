import { useQuery } from '@tanstack/react-query';
import { getProviderTotals } from '#src/generated/sdk.gen.ts';
import type { Environment } from '#src/generated/types.gen.ts';
import { useRefresh } from '#src/live/live.tsx';
import { Money } from '#src/money/money.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { endingEvents, type Period, queryOf, successOf, volumesByProvider } from '#src/volumes/totals.ts';
import styles from './overview.module.css';

const refetchMs = 60_000;
/** Events follow each other faster than figures are read. */
const figuresEveryMs = 5_000;

interface ProviderVolumesProps {
  readonly environment: Environment;
  readonly period: Period;
}

/** What was paid in and out at each provider in a period, and which part of what ended there. */
export function ProviderVolumes({ environment, period }: ProviderVolumesProps) {
  const { texts, language } = useOperatorTexts();
  const { charts, overview, providers } = texts;
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const queryKey = ['volumes', environment, 'by provider', period];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const headers = backgroundHeaders(client.getQueryData(queryKey) !== undefined);
      const query = { ...queryOf(period, new Date()), environment };
      return volumesByProvider((await bodyOf(getProviderTotals({ query, headers, signal }))).data);
    },
    refetchInterval: refetchMs,
  });
  useRefresh(endingEvents, () => void refetch(), figuresEveryMs);
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{overview.byProvider}</h2>
      <RecordTable
        caption={overview.byProvider}
        rows={data}
        keyOf={({ provider, direction, currency }) => `${provider} ${direction} ${currency}`}
        columns={[
          { heading: providers.one, show: ({ provider }) => provider },
          { heading: overview.direction, show: ({ direction }) => charts.direction[direction] },
          {
            heading: charts.measure.amount,
            align: 'right',
            show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          { heading: charts.paid, align: 'right', show: ({ paid }) => paid },
          { heading: charts.ended, align: 'right', show: ({ ended }) => ended },
          { heading: charts.measure.success, align: 'right', show: (row) => share.format(successOf(row) ?? 0) },
        ]}
      />
    </section>
  );
}
