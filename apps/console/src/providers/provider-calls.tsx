import { useQuery } from '@tanstack/react-query';
import { getProviderCalls } from '#src/generated/sdk.gen.ts';
import type { Environment, ProviderCalls } from '#src/generated/types.gen.ts';
import { failedPart } from '#src/providers/describe-provider.ts';
import { Facts } from '#src/records/facts.tsx';
import { Empty, Failed, Incomplete, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, formatClock } from '#src/texts/time.ts';

const refetchMs = 15_000;

interface OfProvider {
  readonly environment: Environment;
  readonly id: string;
}

/** How a provider answered over the last day, by operation: what is to be known before it is switched off. */
export function CallsOfProvider({ environment, id }: OfProvider) {
  const { texts, language } = useOperatorTexts();
  const queryKey = ['provider', environment, id, 'calls'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal, client }) => {
      const headers = backgroundHeaders(client.getQueryData(queryKey) !== undefined);
      return bodyOf(getProviderCalls({ path: { environment, id }, headers, signal }));
    },
    refetchInterval: refetchMs,
  });
  const { calls: words, notified, neverNotified } = texts.providers;
  const at = data?.last_notification_at ? new Date(data.last_notification_at) : undefined;
  return (
    <section className={styles['section']}>
      <h2>{words.title}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={3} />}
      {data ? <Incomplete services={data.incomplete} /> : null}
      {data?.calls.length === 0 ? <Empty>{words.none}</Empty> : null}
      {data && data.calls.length > 0 ? <CallTable calls={data.calls} /> : null}
      {data ? (
        <Facts
          facts={[
            [notified, at ? `${formatAge(at, new Date(), language)} (${formatClock(at, language)})` : neverNotified],
          ]}
        />
      ) : null}
    </section>
  );
}

function CallTable({ calls }: { readonly calls: readonly ProviderCalls[] }) {
  const { texts, language } = useOperatorTexts();
  const words = texts.providers.calls;
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  const duration = (ms: number | null) => (ms === null ? '–' : `${number.format(ms)} ms`);
  const quantile = (heading: string, of: (row: ProviderCalls) => number | null) => ({
    heading,
    align: 'right' as const,
    show: (row: ProviderCalls) => duration(of(row)),
  });
  return (
    <RecordTable
      caption={words.title}
      rows={calls}
      keyOf={({ operation }) => operation}
      columns={[
        { heading: words.operation, show: ({ operation }) => <code>{operation}</code> },
        { heading: words.count, align: 'right', show: (row) => number.format(row.calls) },
        {
          heading: words.failed,
          align: 'right',
          show: (row) => `${number.format(row.failed)} (${percent.format(failedPart(row))})`,
        },
        quantile('p50', ({ p50_ms: ms }) => ms),
        quantile('p95', ({ p95_ms: ms }) => ms),
        quantile('p99', ({ p99_ms: ms }) => ms),
      ]}
    />
  );
}
