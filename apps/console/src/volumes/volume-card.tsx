import { Plot } from '#src/look/chart/plot.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { Money } from '#src/money/money.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import { fromUnix } from '#src/texts/time.ts';
import { type Direction, formatSlot, type Period, type Slot, successOf, wholeOf } from '#src/volumes/totals.ts';
import { AsTable, VolumeFrame } from '#src/volumes/volume-frame.tsx';
import styles from './volumes.module.css';

export const measures = ['amount', 'count', 'success'] as const;
export type Measure = (typeof measures)[number];

interface VolumeCardProps {
  readonly direction: Direction;
  readonly currency: string;
  readonly period: Period;
  readonly measure: Measure;
  readonly slots: readonly Slot[];
}

/** What was paid in one direction and one currency: the sum, which part of what ended, both over time, and all of it as a table. */
export function VolumeCard({ direction, currency, period, measure, slots }: VolumeCardProps) {
  const { texts, language } = useLanguage();
  const { charts } = texts;
  const write = writersOf(currency, language);
  const whole = wholeOf(slots);
  const name = `${charts.direction[direction]}, ${currency}`;
  const at = (slot: Slot) => formatSlot(fromUnix(slot.at), period, language);
  const words = (slot: Slot) => (slot.ended === 0 ? charts.nothing : `${write.amount(slot.amount)} · ${ofEnded(slot)}`);
  const ofEnded = (slot: Slot) => charts.ofEnded(slot.paid, slot.ended, write.success(successOf(slot) ?? 0));
  return (
    <VolumeFrame name={name}>
      <Money amount={whole.amount} currency={currency} size="total" />
      <p className={styles['ended']}>{ofEnded(whole)}</p>
      <Plot
        name={`${name}: ${charts.measure[measure]}`}
        form={measure === 'success' ? 'line' : 'bars'}
        points={slots.map((slot) => ({ at: at(slot), value: valueOf[measure](slot), words: words(slot) }))}
        write={write[measure]}
        {...(measure === 'success' ? { top: 1 } : {})}
      />
      <AsTable>
        <RecordTable
          caption={name}
          rows={slots}
          keyOf={(slot) => String(slot.at)}
          columns={[
            { heading: charts.time, show: at },
            { heading: charts.measure.amount, align: 'right', show: (slot) => write.amount(slot.amount) },
            { heading: charts.paid, align: 'right', show: ({ paid }) => paid },
            { heading: charts.ended, align: 'right', show: ({ ended }) => ended },
            {
              heading: charts.measure.success,
              align: 'right',
              show: (slot) => (slot.ended === 0 ? '–' : write.success(successOf(slot) ?? 0)),
            },
          ]}
        />
      </AsTable>
    </VolumeFrame>
  );
}

const valueOf: Readonly<Record<Measure, (slot: Slot) => number | null>> = {
  amount: ({ amount }) => amount,
  count: ({ paid }) => paid,
  success: successOf,
};

function writersOf(currency: string, language: string): Readonly<Record<Measure, (value: number) => string>> {
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const number = new Intl.NumberFormat(language);
  return {
    amount: (value) => formatMoney(Math.round(value), currency, language),
    count: (value) => number.format(value),
    success: (value) => share.format(value),
  };
}
