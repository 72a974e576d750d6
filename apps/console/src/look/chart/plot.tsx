import { type PointerEvent, useState } from 'react';
import { runsOf, topOf } from '#src/look/chart/scale.ts';
import styles from './plot.module.css';

interface Point {
  /** When it is, as a word. */
  readonly at: string;
  /** Null where nothing is known. */
  readonly value: number | null;
  /** What is known then, as words. */
  readonly words: string;
}

interface PlotProps {
  /** What the values are of. */
  readonly name: string;
  /** Sums of a time as bars, what is true at a time as a line. */
  readonly form: 'bars' | 'line';
  /** In the order of time. */
  readonly points: readonly Point[];
  /** How a value of the scale is written. */
  readonly write: (value: number) => string;
  /** The top of the scale, where it does not follow from the values. */
  readonly top?: number;
}

const height = 100;

/**
 * Values over time. A pointer, a finger and the arrow keys go from one to the next, whose words are shown and read out: the
 * range above the picture is what all three of them move.
 */
export function Plot({ name, form, points, write, top = topOf(points.map(({ value }) => value)) }: PlotProps) {
  const [chosen, choose] = useState<number | undefined>();
  const last = points.length - 1;
  const at = chosen === undefined ? undefined : Math.min(chosen, last);
  const point = at === undefined ? undefined : points[at];
  const [first, end] = [points[0], points[last]];
  if (!first || !end) return null;
  const follow = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    choose(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * points.length))));
  };
  return (
    <div className={styles['plot']}>
      <p className={styles['words']} aria-hidden="true">
        {point
          ? `${point.at}: ${point.words}`
          : write(points.some(({ value }) => value !== null && value > 0) ? top : 0)}
      </p>
      <div className={styles['area']} onPointerMove={follow} onPointerLeave={() => choose(undefined)}>
        <svg viewBox={`0 0 ${points.length} ${height}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
          {at === undefined ? null : <rect className={styles['chosen']} x={at} y="0" width="1" height={height} />}
          {form === 'bars' ? <Bars points={points} top={top} /> : <Line points={points} top={top} />}
        </svg>
        <input
          type="range"
          className={styles['range']}
          aria-label={name}
          aria-valuetext={`${(point ?? end).at}: ${(point ?? end).words}`}
          min={0}
          max={last}
          value={at ?? last}
          onChange={({ target }) => choose(Number(target.value))}
          onFocus={() => choose(at ?? last)}
          onBlur={() => choose(undefined)}
        />
      </div>
      <p className={styles['ends']} aria-hidden="true">
        <span>{first.at}</span>
        <span>{end.at}</span>
      </p>
    </div>
  );
}

interface ShapeProps {
  readonly points: readonly Point[];
  readonly top: number;
}

function Bars({ points, top }: ShapeProps) {
  return points.map(({ at, value }, index) => {
    const size = ((value ?? 0) / top) * height;
    return (
      <rect
        key={`${index} ${at}`}
        className={styles['bar']}
        x={index + 0.14}
        y={height - size}
        width="0.72"
        height={size}
      />
    );
  });
}

function Line({ points, top }: ShapeProps) {
  return runsOf(points.map(({ value }) => value)).map(({ at, run }) => {
    const [head = '', ...tail] = run.map((value, index) => `${at + index + 0.5} ${height - (value / top) * height}`);
    // A run of one point has no length: its round ends are a dot.
    return (
      <path
        key={at}
        className={styles[tail.length === 0 ? 'dot' : 'line']}
        d={`M${head}L${tail.length === 0 ? head : tail.join('L')}`}
      />
    );
  });
}
