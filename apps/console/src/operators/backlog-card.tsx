import type { BacklogTime } from '#src/generated/types.gen.ts';
import { Plot } from '#src/look/chart/plot.tsx';
import { type BacklogPoint, backlogPoints, lastBacklog } from '#src/operators/history-points.ts';
import { RecordTable } from '#src/records/record-table.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { fromUnix } from '#src/texts/time.ts';
import { formatSlot, type Period } from '#src/volumes/totals.ts';
import { AsTable, VolumeFrame } from '#src/volumes/volume-frame.tsx';
import styles from '#src/volumes/volumes.module.css';

interface BacklogCardProps {
  readonly kind: BacklogTime['kind'];
  readonly period: Period;
  readonly data: readonly BacklogTime[];
  readonly slots: readonly number[];
}

/** How much there was of one kind, the last count as a figure, the highest of each time as a line and as a table. */
export function BacklogCard({ kind, period, data, slots }: BacklogCardProps) {
  const { texts, language } = useOperatorTexts();
  const { charts, history } = texts;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const points = backlogPoints(data, kind, slots);
  const last = lastBacklog(data, kind);
  const name = history.backlog.kinds[kind];
  const at = (point: BacklogPoint) => formatSlot(fromUnix(point.at), period, language);
  const most = ({ most: count }: BacklogPoint) => (count === null ? '–' : number.format(count));
  const words = (point: BacklogPoint) =>
    point.most === null ? history.backlog.notCounted : history.backlog.atMost(most(point));
  return (
    <VolumeFrame name={name}>
      <p className={styles['figure']}>{last === undefined ? '–' : number.format(last)}</p>
      <p className={styles['ended']}>{history.backlog.last}</p>
      <Plot
        name={name}
        form="line"
        points={points.map((point) => ({ at: at(point), value: point.most, words: words(point) }))}
        write={(value) => number.format(value)}
      />
      <AsTable>
        <RecordTable
          caption={name}
          rows={points}
          keyOf={(point) => String(point.at)}
          columns={[
            { heading: charts.time, show: at },
            { heading: history.backlog.most, align: 'right', show: most },
            ...(kind === 'event'
              ? [{ heading: history.backlog.service, show: (point: BacklogPoint) => point.service ?? '–' }]
              : []),
          ]}
        />
      </AsTable>
    </VolumeFrame>
  );
}
