import { useQuery } from '@tanstack/react-query';
import { getBacklog, getProviderCallTimes } from '#src/generated/sdk.gen.ts';
import type { Environment } from '#src/generated/types.gen.ts';
import { BacklogCard } from '#src/operators/backlog-card.tsx';
import { LatencyCard } from '#src/operators/latency-card.tsx';
import { Empty, Failed, Incomplete } from '#src/records/page-states.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatClock, fromUnix } from '#src/texts/time.ts';
import { type Period, slotQueryOf, slotsOf } from '#src/volumes/totals.ts';
import styles from '#src/volumes/volumes.module.css';

const refetchMs = 60_000;
const kinds = ['payout', 'refund', 'delivery', 'event'] as const;

interface HistoryProps {
  readonly environment: Environment;
  readonly period: Period;
}

interface Asked {
  readonly query: ReturnType<typeof slotQueryOf> & { readonly environment: Environment };
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
}

/** What is kept of a period until now, asked for again every minute, with the moment that it goes up to. */
function useHistory<Data extends object>(
  name: string,
  { environment, period }: HistoryProps,
  read: (asked: Asked) => Promise<Data>,
) {
  const queryKey = [name, environment, period];
  return useQuery({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const now = new Date();
      const headers = backgroundHeaders(client.getQueryData(queryKey) !== undefined);
      const query = { ...slotQueryOf(period, now), environment };
      return { ...(await read({ query, headers, signal })), now };
    },
    refetchInterval: refetchMs,
  });
}

/** What the gateway had to work off over a period: the counts that it makes every five minutes. */
export function BacklogOverTime({ environment, period }: HistoryProps) {
  const { texts, language } = useOperatorTexts();
  const { history, states } = texts;
  const { data, error, refetch } = useHistory('backlog', { environment, period }, (asked) => bodyOf(getBacklog(asked)));
  return (
    <section className={styles['volumes']}>
      <header className={styles['head']}>
        <h2>{history.backlog.title}</h2>
        {data?.counted_at ? (
          <p className={styles['ended']}>{states.updatedAt(formatClock(fromUnix(data.counted_at), language))}</p>
        ) : null}
      </header>
      <p className={styles['ended']}>{history.backlog.about}</p>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data?.counted_at === null ? <Empty>{history.backlog.none}</Empty> : null}
      <div className={styles['cards']}>
        {data?.counted_at
          ? kinds.map((kind) => (
              <BacklogCard key={kind} {...{ kind, period }} data={data.data} slots={slotsOf(period, data.now)} />
            ))
          : null}
      </div>
    </section>
  );
}

/** How long calls of each provider took over a period: what every process counts of its calls. */
export function LatencyOverTime({ environment, period }: HistoryProps) {
  const { texts } = useOperatorTexts();
  const { history } = texts;
  const { data, error, refetch } = useHistory('provider-calls', { environment, period }, (asked) =>
    bodyOf(getProviderCallTimes(asked)),
  );
  const providers = [...new Set(data?.data.map(({ provider }) => provider))].sort();
  return (
    <section className={styles['volumes']}>
      <h2>{history.latency.title}</h2>
      <p className={styles['ended']}>{history.latency.about}</p>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data ? <Incomplete services={data.incomplete} /> : null}
      {data && providers.length === 0 ? <Empty>{history.latency.none}</Empty> : null}
      <div className={styles['cards']}>
        {data
          ? providers.map((provider) => (
              <LatencyCard
                key={provider}
                {...{ provider, period }}
                data={data.data}
                slots={slotsOf(period, data.now)}
              />
            ))
          : null}
      </div>
    </section>
  );
}
