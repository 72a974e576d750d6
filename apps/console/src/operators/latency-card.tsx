import type { ProviderCallTime } from '#src/generated/types.gen.ts';
import { Plot } from '#src/look/chart/plot.tsx';
import { callPoints } from '#src/operators/history-points.ts';
import { RecordTable } from '#src/records/record-table.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { fromUnix } from '#src/texts/time.ts';
import { formatSlot, type Period } from '#src/volumes/totals.ts';
import { AsTable, VolumeFrame } from '#src/volumes/volume-frame.tsx';
import styles from '#src/volumes/volumes.module.css';

interface LatencyCardProps {
  readonly provider: string;
  readonly period: Period;
  readonly data: readonly ProviderCallTime[];
  readonly slots: readonly number[];
}

type Point = ReturnType<typeof callPoints>[number];

/** How long 95 of 100 calls of a provider took over time, the last as a figure, and all that is known of them as a table. */
export function LatencyCard({ provider, period, data, slots }: LatencyCardProps) {
  const { texts, language } = useOperatorTexts();
  const { charts, history } = texts;
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  const ms = new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
  const points = callPoints(data, provider, slots);
  const last = points.findLast(({ p95_ms: p95 }) => p95 !== null);
  const at = (point: Point) => formatSlot(fromUnix(point.at), period, language);
  const duration = (value: number | null) => (value === null ? '–' : ms.format(value));
  const failed = ({ calls, failed: without }: Point) =>
    calls === 0 ? '–' : `${number.format(without)} (${percent.format(without / calls)})`;
  const words = (point: Point) =>
    point.calls === 0
      ? history.latency.notCalled
      : history.latency.ofCalls(duration(point.p95_ms), number.format(point.calls), failed(point));
  const quantile = (heading: string, of: (point: Point) => number | null) => ({
    heading,
    align: 'right' as const,
    show: (point: Point) => duration(of(point)),
  });
  return (
    <VolumeFrame name={provider}>
      <p className={styles['figure']}>{duration(last?.p95_ms ?? null)}</p>
      <p className={styles['ended']}>{last ? history.latency.last(at(last)) : null}</p>
      <Plot
        name={`${provider}: p95`}
        form="line"
        points={points.map((point) => ({ at: at(point), value: point.p95_ms, words: words(point) }))}
        write={(value) => ms.format(value)}
      />
      <AsTable>
        <RecordTable
          caption={provider}
          rows={points}
          keyOf={(point) => String(point.at)}
          columns={[
            { heading: charts.time, show: at },
            { heading: history.latency.calls, align: 'right', show: ({ calls }) => number.format(calls) },
            { heading: history.latency.failed, align: 'right', show: failed },
            quantile('p50', ({ p50_ms: value }) => value),
            quantile('p95', ({ p95_ms: value }) => value),
            quantile('p99', ({ p99_ms: value }) => value),
          ]}
        />
      </AsTable>
    </VolumeFrame>
  );
}
