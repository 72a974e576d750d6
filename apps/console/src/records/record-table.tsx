import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useListView, ViewChoice } from '#src/records/list-view.tsx';
import { useRowsBeside } from '#src/records/side-panel.tsx';
import { shownColumns } from '#src/records/stored-view.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './record-table.module.css';

export interface Column<Row> {
  readonly heading: string;
  readonly show: (row: Row) => ReactNode;
  /** Figures stand at the right, so that their digits stand below each other. */
  readonly align?: 'right';
}

/** Rows that are chosen for what is done with several at once; the key `x` chooses the row that has the focus. */
export interface Selection<Row> {
  readonly isSelected: (row: Row) => boolean;
  readonly toggle: (row: Row) => void;
  /** Whether anything can be done with it. */
  readonly isOffered: (row: Row) => boolean;
}

interface RecordTableProps<Row> {
  readonly caption: string;
  /** The first one names the record and stays where it is while the others scroll. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The record that opens beside the list, where that is not what the key names; undefined of a row that opens none. */
  readonly besideOf?: (row: Row) => string | undefined;
  readonly selection?: Selection<Row> | undefined;
}

/**
 * A list as a table; where it is narrow each row is a card that names its facts. The roles are written out: an element that
 * is laid out as no table loses its own.
 */
export function RecordTable<Row>(props: RecordTableProps<Row>) {
  const { caption, columns, rows, keyOf, besideOf = keyOf, selection } = props;
  const { view, change, isOfList } = useListView();
  const shown = shownColumns(columns, view);
  const [first, ...others] = shown;
  const classOf = ({ align }: Column<Row>) => (align === undefined ? undefined : styles[align]);
  const frame = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(frame);
  const hasPage = useRowsBeside(frame, isOfList);
  const besides = (row: Row) => {
    const name = besideOf(row);
    return name !== undefined && hasPage(name) ? name : undefined;
  };
  // What scrolls is reached by the keyboard, also where none of its cells is.
  const reached = scrolls ? { tabIndex: 0, role: 'region', 'aria-label': caption } : {};
  return (
    <>
      <div ref={frame} className={styles['frame']} {...reached}>
        <table className={styles['table']} role="table" data-compact={view.isCompact}>
          <caption>{caption}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {shown.map((column) => (
                <th key={column.heading} scope="col" role="columnheader" className={classOf(column)}>
                  {column.heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <tr key={keyOf(row)} role="row" data-record={besides(row)}>
                <th scope="row" role="rowheader">
                  {selection?.isOffered(row) ? <Selected id={keyOf(row)} row={row} selection={selection} /> : null}
                  {first.show(row)}
                </th>
                {others.map((column) => (
                  <td key={column.heading} role="cell" className={classOf(column)} data-heading={column.heading}>
                    {column.show(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isOfList && columns.length > 2 ? (
        <ViewChoice headings={columns.slice(1).map(({ heading }) => heading)} view={view} change={change} />
      ) : null}
    </>
  );
}

interface SelectedProps<Row> {
  readonly id: string;
  readonly row: Row;
  readonly selection: Selection<Row>;
}

function Selected<Row>({ id, row, selection: { isSelected, toggle } }: SelectedProps<Row>) {
  const { texts } = useLanguage();
  return (
    <input
      type="checkbox"
      className={styles['select']}
      aria-label={`${texts.keyboard.select}: ${id}`}
      checked={isSelected(row)}
      onChange={() => toggle(row)}
    />
  );
}

/** Whether a table is wider than its frame. */
function useScrolls(frame: RefObject<HTMLDivElement | null>): boolean {
  const [scrolls, set] = useState(false);
  useEffect(() => {
    const { current } = frame;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => set(current.scrollWidth > current.clientWidth));
    observer.observe(current);
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, [frame]);
  return scrolls;
}
