import { idLowerBound } from '@gateway/money';

/** One calendar month in UTC. */
export interface Month {
  readonly startMs: number;
  readonly endMs: number;
  /** `2026_11` */
  readonly label: string;
}

/** The month of a moment and the ones after it. */
export function monthsFrom(atMs: number, count: number): Month[] {
  const at = new Date(atMs);
  return Array.from({ length: count }, (_, index) => monthOf(at.getUTCFullYear(), at.getUTCMonth() + index));
}

function monthOf(year: number, monthIndex: number): Month {
  const start = new Date(Date.UTC(year, monthIndex, 1));
  const label = `${start.getUTCFullYear()}_${String(start.getUTCMonth() + 1).padStart(2, '0')}`;
  return { startMs: start.getTime(), endMs: Date.UTC(year, monthIndex + 1, 1), label };
}

/** A partition to be: its table, its parent, and the bounds as SQL literals. They are made here, never input. */
export interface Partition {
  readonly parent: 'entry' | 'result';
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

export function partitionsOf({ startMs, endMs, label }: Month): Partition[] {
  const time = (ms: number) => `'${new Date(ms).toISOString()}'`;
  const id = (ms: number) => `'${idLowerBound('ledgerEntry', ms)}'`;
  return [
    { parent: 'result', table: `result_${label}`, from: time(startMs), to: time(endMs) },
    { parent: 'entry', table: `entry_${label}`, from: id(startMs), to: id(endMs) },
  ];
}
