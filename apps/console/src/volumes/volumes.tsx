import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useRefresh } from '#src/live/live.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { backgroundHeaders } from '#src/records/refusal.ts';
import { useLanguage } from '#src/texts/language.tsx';
import { formatClock, fromUnix } from '#src/texts/time.ts';
import {
  currenciesOf,
  directions,
  endingEvents,
  type EventTotal,
  type Period,
  periods,
  queryOf,
  slotsOf,
  volumesOf,
} from '#src/volumes/totals.ts';
import { type Measure, measures, VolumeCard } from '#src/volumes/volume-card.tsx';
import styles from './volumes.module.css';

interface VolumesProps {
  /** Whose they are, for what is kept of them. */
  readonly name: string;
  readonly period: Period;
  readonly onPeriod: (period: Period) => void;
  readonly read: (
    query: ReturnType<typeof queryOf>,
    signal: AbortSignal,
    headers: Record<string, string>,
  ) => Promise<{ readonly data: readonly EventTotal[]; readonly as_of: number }>;
  /** What else they are chosen by. */
  readonly children?: ReactNode;
  /** Other pictures of the same period. */
  readonly beside?: ReactNode;
}

const refetchMs = 60_000;
/** Events follow each other faster than figures are read. */
const figuresEveryMs = 5_000;
/** A figure that is older is shown as old. */
const staleSec = 120;

/** What was paid in and out over time, how much of it, and which part of what ended; each currency by itself. */
export function Volumes({ name, period, onPeriod, read, children, beside }: VolumesProps) {
  const { texts, language } = useLanguage();
  const { charts, states } = texts;
  const [measure, show] = useState<Measure>('amount');
  const queryKey = ['volumes', name, period];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const now = new Date();
      const headers = backgroundHeaders(client.getQueryData(queryKey) !== undefined);
      return { ...(await read(queryOf(period, now), signal, headers)), now };
    },
    refetchInterval: refetchMs,
  });
  useRefresh(endingEvents, () => void refetch(), figuresEveryMs);
  const slots = data ? slotsOf(period, data.now) : [];
  const cards = directions.flatMap((direction) =>
    currenciesOf(data?.data ?? [], direction).map((currency) => ({ direction, currency })),
  );
  const asOf = data ? fromUnix(data.as_of) : undefined;
  const isStale = data !== undefined && data.now.getTime() / 1_000 - data.as_of > staleSec;
  return (
    <section className={styles['volumes']}>
      <header className={styles['head']}>
        <h2>{charts.title}</h2>
        <div className={styles['choices']}>
          {asOf ? <p>{states.updatedAt(formatClock(asOf, language))}</p> : null}
          {children}
          <Select
            label={charts.measure.label}
            options={measures}
            words={charts.measure}
            {...{ chosen: measure, choose: show }}
          />
          <Select
            label={charts.period.label}
            options={periods}
            words={charts.period}
            {...{ chosen: period, choose: onPeriod }}
          />
        </div>
      </header>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={4} />}
      {data && cards.length === 0 ? <Empty>{charts.none}</Empty> : null}
      <div className={styles['cards']} data-stale={isStale}>
        {cards.map(({ direction, currency }) => (
          <VolumeCard
            key={`${direction} ${currency}`}
            {...{ direction, currency, period, measure }}
            slots={volumesOf(data?.data ?? [], { direction, currency, slots })}
          />
        ))}
        {beside}
      </div>
    </section>
  );
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Value[];
  readonly words: Readonly<Record<Value, string>>;
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
}

function Select<Value extends string>({ label, options, words, chosen, choose }: SelectProps<Value>) {
  return (
    <label>
      <span>{label}</span>
      <select value={chosen} onChange={({ target }) => choose(options.find((each) => each === target.value) ?? chosen)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {words[option]}
          </option>
        ))}
      </select>
    </label>
  );
}
