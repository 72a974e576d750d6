import type { IdKind } from '@gateway/money';
import { allOf, type Condition } from '#src/condition.ts';
import { idConditions, type IdWindow } from '#src/id-range.ts';
import { pageOf, type Page } from '#src/page-of.ts';
import type { Queries } from '#src/queries.ts';

/** Most records that a page may have. */
const pageRecordsMax = 200;

export interface RecordListOptions {
  readonly kind: IdKind;
  /** The table, and what its rows are joined to; of all of them one has a column `id`. */
  readonly from: string;
  readonly columns: string;
}

export interface PageAsked extends IdWindow {
  readonly limit: number;
  /** Whose records they are. A cursor has to name one of these. */
  readonly owned: readonly Condition[];
  /** Which of them are there to be seen. */
  readonly visible?: readonly Condition[];
  /** What the caller narrows the list by. */
  readonly filters?: readonly Condition[];
  /** What to sort by instead of the id, where another column sorts as the ids do. */
  readonly sortedBy?: string;
}

/**
 * The records of a table as pages of a list by id: new records never move those of later pages. A page is one statement,
 * and its rows are read as they are answered, without a unit of work around them.
 */
export class RecordList<Row extends { readonly id: string }> {
  readonly #options: RecordListOptions;
  /** By the text of each prepared statement, its name. */
  readonly #names = new Map<string, string>();

  constructor(options: RecordListOptions) {
    this.#options = options;
  }

  /** @returns undefined when the cursor is none of `owned` */
  async page(source: Queries, asked: PageAsked): Promise<Page<Row> | undefined> {
    const params: unknown[] = [];
    const text = asked.cursor === undefined ? this.#pageText(asked, params) : this.#pageBehindText(asked, params);
    const rows = await this.#read(source, text, params, asked);
    if (asked.cursor === undefined) return pageOf(rows, asked.limit);
    if (rows[0]?.cursorIsKnown !== true) return undefined;
    return pageOf(
      rows.filter(({ id }) => id !== null),
      asked.limit,
    );
  }

  /**
   * The inner limit is a constant, for a plan that is made once: with an unknown one the planner expects a tenth of all
   * records of the account, and plans the statement anew each time.
   */
  #pageText({ owned, visible = [], filters = [], ...page }: PageAsked, params: unknown[]): string {
    const { kind, from, columns } = this.#options;
    const { limit, sortedBy = 'id', order = 'desc' } = page;
    const where = allOf([...owned, ...visible, ...filters, ...idConditions(kind, page)], params);
    return `select * from (
      select ${columns} from ${from} where ${where} order by ${sortedBy} ${order} limit ${pageRecordsMax + 1}
    ) page limit $${params.push(limit + 1)}`;
  }

  /** With whether the cursor is known, in each row; one row of nulls stands for an empty page. */
  #pageBehindText(asked: PageAsked, params: unknown[]): string {
    const { from } = this.#options;
    const cursor = allOf([...asked.owned, { sql: 'id = ?', values: [asked.cursor] }], params);
    return `select * from (select exists (select from ${from} where ${cursor}) as "cursorIsKnown") cursor
      left join (${this.#pageText(asked, params)}) page on true`;
  }

  async #read(source: Queries, text: string, params: readonly unknown[], { filters = [] }: PageAsked) {
    type Read = Row & { readonly cursorIsKnown?: boolean };
    // What is narrowed is planned each time, by its values; there are many ways to narrow, and few without.
    return await source.query<Read>(text, params, filters.length === 0 ? this.#nameOf(text) : undefined);
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = `list-${this.#options.kind}-${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
