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
  /** What is shown stands in two lines before the table becomes wider than its frame. */
  readonly wraps?: true;
  /**
   * Where a row is a card, which has room for few facts: this one is left to the page of the record, or folded away in the
   * card where the record has none.
   */
  readonly inCards?: 'left out' | 'folded';
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
    <div className={styles['list']}>
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
              <TableRow
                key={keyOf(row)}
                id={keyOf(row)}
                row={row}
                columns={shown}
                beside={besides(row)}
                selection={selection}
              />
            ))}
          </tbody>
        </table>
      </div>
      {isOfList && columns.length > 2 ? (
        <ViewChoice headings={columns.slice(1).map(({ heading }) => heading)} view={view} change={change} />
      ) : null}
    </div>
  );
}

function classOf<Row>({ align, wraps }: Column<Row>): string | undefined {
  if (align !== undefined) return styles[align];
  return wraps ? styles['wraps'] : undefined;
}

/** What a cell has where there is nothing to show; a card leaves the fact out. */
const nothing = '–';

interface TableRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  /** The record that opens beside the list. */
  readonly beside: string | undefined;
  readonly selection: Selection<Row> | undefined;
}

function TableRow<Row>({ id, row, columns, beside, selection }: TableRowProps<Row>) {
  const { texts } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const [first, ...others] = columns;
  const cells = others.map((column) => ({ column, shown: column.show(row) }));
  const isFolding = cells.some(({ column, shown }) => column.inCards === 'folded' && shown !== nothing);
  return (
    <tr role="row" data-record={beside} data-open={isOpen}>
      <th scope="row" role="rowheader" className={classOf(first)}>
        {selection?.isOffered(row) ? <Selected id={id} row={row} selection={selection} /> : null}
        <span>{first.show(row)}</span>
        {isFolding ? (
          <button type="button" className={styles['unfold']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? texts.list.fewerFacts : texts.list.moreFacts}
          </button>
        ) : null}
      </th>
      {cells.map(({ column, shown }) => (
        <td
          key={column.heading}
          role="cell"
          className={classOf(column)}
          data-heading={column.heading}
          data-in-cards={shown === nothing ? 'left out' : column.inCards}
        >
          <div>{shown}</div>
        </td>
      ))}
    </tr>
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
