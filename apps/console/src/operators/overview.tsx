import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { getOverview, getTotals } from '#src/generated/sdk.gen.ts';
import type { Attention, Environment } from '#src/generated/types.gen.ts';
import { useRefresh } from '#src/live/live.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { EnvironmentChoice } from '#src/records/environment-choice.tsx';
import { Empty, Failed, Incomplete, Skeleton } from '#src/records/page-states.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useIsOld } from '#src/records/use-is-old.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, formatClock, fromUnix } from '#src/texts/time.ts';
import { type Period, periodIn } from '#src/volumes/totals.ts';
import { Volumes } from '#src/volumes/volumes.tsx';
import { BacklogOverTime, LatencyOverTime } from '#src/operators/operating-history.tsx';
import { listAddress } from '#src/operators/list-address.ts';
import { ProviderVolumes } from '#src/operators/provider-volumes.tsx';
import { lazyPage } from '#src/records/lazy-page.ts';
import styles from './overview.module.css';

const Running = lazyPage(async () => (await import('#src/operators/running.tsx')).Running);

const refetchMs = 15_000;
/** A figure that could not be read for so long is shown as one of then. */
const oldAfterMs = 120_000;
/** Each of them may be the one that needs an operator. */
const attentionEvents = [''];
const figuresEveryMs = 5_000;
const overviewKey = ['overview'] as const;

/** Of which environment the volumes are, live where the address says nothing, and of how long. */
export interface OverviewQuery {
  readonly environment?: Environment;
  readonly period?: Period;
}

/** What needs an operator now, with the age of the oldest of each kind. */
export function Overview({ query }: { readonly query: OverviewQuery }) {
  const { texts, language } = useOperatorTexts();
  const { overview, states } = texts;
  const may = useMay();
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: overviewKey,
    queryFn: ({ signal, client }) => {
      const headers = backgroundHeaders(client.getQueryData(overviewKey) !== undefined);
      return bodyOf(getOverview({ signal, headers }));
    },
    refetchInterval: refetchMs,
  });
  useRefresh(attentionEvents, () => void refetch(), figuresEveryMs);
  const isOld = useIsOld(data && dataUpdatedAt, oldAfterMs);
  const asOf = data ? fromUnix(data.as_of) : undefined;
  return (
    <div className={styles['page']}>
      <title>{`${overview.title} · ${texts.product}`}</title>
      <header className={styles['head']}>
        <h1>{overview.title}</h1>
        <p className={styles['age']}>
          {asOf ? states.updatedAt(formatClock(asOf, language)) : null}
          {may('audit:read') ? (
            <Link to="/handover" search={{ hours: '8' }}>
              {texts.handover.open}
            </Link>
          ) : null}
        </p>
      </header>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data ? <Incomplete services={data.incomplete} /> : null}
      {data || error ? null : <Skeleton lines={4} />}
      {data && asOf ? <Counts attention={data.attention} asOf={asOf} isOld={isOld} /> : null}
      {may('balances:read') ? <AllVolumes query={query} /> : null}
      {data && asOf ? (
        <Suspense fallback={null}>
          <Running overview={data} asOf={asOf} isOld={isOld} />
        </Suspense>
      ) : null}
      <BacklogOverTime environment={query.environment ?? 'live'} period={periodIn(query.period)} />
      {may('operations:read') ? (
        <LatencyOverTime environment={query.environment ?? 'live'} period={periodIn(query.period)} />
      ) : null}
    </div>
  );
}

interface CountsProps {
  readonly attention: readonly Attention[];
  readonly asOf: Date;
  readonly isOld: boolean;
}

function Counts({ attention, asOf, isOld }: CountsProps) {
  const { texts, language } = useOperatorTexts();
  const { overview, states } = texts;
  if (attention.length === 0) return <Empty>{overview.nothing(formatClock(asOf, language))}</Empty>;
  return (
    <ul className={styles['counts']} data-old={isOld}>
      {attention.map(({ kind, environment, count, oldest_at: oldest, list }) => {
        const address = listAddress(list);
        const name = overview.kinds[kind];
        return (
          <li key={`${kind} ${environment}`} className={styles['count']} data-linked={address !== undefined}>
            <h2>{address === undefined ? name : <Link to={address}>{name}</Link>}</h2>
            <p className={styles['figure']}>{count}</p>
            <p className={styles['age']}>
              {overview.oldest(formatAge(fromUnix(oldest), asOf, language))}
              {isOld ? <span>{states.updatedAt(formatClock(asOf, language))}</span> : null}
              {environment === null ? null : <EnvironmentBadge environment={environment} />}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** What was paid through the gateway in one environment, over time. */
function AllVolumes({ query: { environment = 'live', period } }: { readonly query: OverviewQuery }) {
  const navigate = useNavigate();
  const change = (chosen: OverviewQuery) => void navigate({ to: '/', search: { environment, period, ...chosen } });
  return (
    <>
      <Volumes
        name={environment}
        period={periodIn(period)}
        onPeriod={(chosen) => change({ period: chosen })}
        read={(query, signal, headers) => bodyOf(getTotals({ query: { ...query, environment }, headers, signal }))}
      >
        <EnvironmentChoice chosen={environment} choose={(chosen) => change({ environment: chosen })} />
      </Volumes>
      <ProviderVolumes environment={environment} period={periodIn(period)} />
    </>
  );
}
