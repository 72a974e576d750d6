import { Plot } from '#src/look/chart/plot.tsx';
import { answerOf } from '#src/records/deliveries.ts';
import { RecordTable } from '#src/records/record-table.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import { formatClock, fromUnix } from '#src/texts/time.ts';
import { AsTable, VolumeFrame } from '#src/volumes/volume-frame.tsx';

interface Call {
  readonly id: string;
  /** Unix seconds. */
  readonly created_at: number;
  readonly latency_ms: number | null;
  readonly response_status: number | null;
  readonly error: string | null;
}

/** How long the last call of each delivery took, oldest first. */
export function Latency({ deliveries }: { readonly deliveries: readonly Call[] }) {
  const { texts, language } = useLanguage();
  const number = new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
  const { charts } = texts;
  const called = deliveries.filter(({ latency_ms: took }) => took !== null).toReversed();
  if (called.length < 2) return null;
  const at = (call: Call) => formatClock(fromUnix(call.created_at), language);
  const took = (call: Call) => number.format(call.latency_ms ?? 0);
  return (
    <VolumeFrame name={charts.latency}>
      <Plot
        name={charts.latency}
        form="bars"
        points={called.map((call) => ({
          at: at(call),
          value: call.latency_ms,
          words: `${took(call)} · ${answerOf(call)}`,
        }))}
        write={(value) => number.format(value)}
      />
      <AsTable>
        <RecordTable
          caption={charts.latency}
          rows={called}
          keyOf={({ id }) => id}
          columns={[
            { heading: charts.at, show: at },
            { heading: charts.took, align: 'right', show: took },
            { heading: charts.answer, show: answerOf },
          ]}
        />
      </AsTable>
    </VolumeFrame>
  );
}
