import type { ReactNode } from 'react';
import styles from './record-table.module.css';

export interface Column<Row> {
  readonly heading: string;
  readonly show: (row: Row) => ReactNode;
  /** Figures stand at the right, so that their digits stand below each other. */
  readonly align?: 'right';
}

interface RecordTableProps<Row> {
  readonly caption: string;
  /** The first one names the record and stays where it is while the others scroll. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** A list as a table; where it is narrow each row is a card that names its facts. */
export function RecordTable<Row>({ caption, columns, rows, keyOf }: RecordTableProps<Row>) {
  const [first, ...others] = columns;
  const classOf = ({ align }: Column<Row>) => (align === undefined ? undefined : styles[align]);
  return (
    <div className={styles['frame']}>
      <table className={styles['table']}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.heading} scope="col" className={classOf(column)}>
                {column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row">{first.show(row)}</th>
              {others.map((column) => (
                <td key={column.heading} className={classOf(column)} data-heading={column.heading}>
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
