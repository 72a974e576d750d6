import { RowArrays, type ColumnType } from '@gateway/persistence';

/** The columns of one table, from which the statements over batches of its rows are made. */
export class TableColumns<Member extends string> {
  readonly #table: string;
  readonly #columns: readonly (readonly [Member, ColumnType | 'date'])[];
  readonly arrays: RowArrays<Member>;

  /** @param columns the members of a row, with the types of their columns; a date is written as its text */
  constructor(table: string, columns: readonly (readonly [Member, ColumnType | 'date'])[]) {
    this.#table = table;
    this.#columns = columns;
    this.arrays = new RowArrays(columns.map(([member, type]) => [member, type === 'date' ? 'text' : type] as const));
  }

  /** For `select`: the columns under the names of the members. */
  selectedFrom(alias: string): string {
    return this.#columns.map(([member]) => `${alias}.${nameOf(member)} as "${member}"`).join(', ');
  }

  /** Adds the rows of the parameters `$1` and following. */
  get insertion(): string {
    const names = this.#columns.map(([member]) => nameOf(member)).join(', ');
    return `insert into ${this.#table} (${names}) select ${this.#values()} from ${this.arrays.from(1, 'item')}`;
  }

  /**
   * The same without those that are there already: answers how many were added, and, unless all were, the keys of these.
   * Where all are new, as nearly always, each is looked up once, by its insertion.
   */
  insertionOfNew(key: readonly Member[]): string {
    const names = key.map((member) => `added.${nameOf(member)} as "${member}"`).join(', ');
    return `with added as (${this.insertion} on conflict do nothing returning ${key.map(nameOf).join(', ')})
      select counted.count, ${names} from (select count(*) as count from added) counted
        left join added on counted.count < cardinality($1)`;
  }

  /** Replaces the rows of the parameters `$1` and following, which have the same key. */
  replacementBy(key: readonly Member[]): string {
    const others = this.#columns.filter(([member]) => !key.includes(member));
    const names = others.map(([member]) => nameOf(member)).join(', ');
    const same = key.map((member) => `stored.${nameOf(member)} = item."${member}"`).join(' and ');
    return `update ${this.#table} as stored set (${names}) = row(${this.#values(others)})
      from ${this.arrays.from(1, 'item')} where ${same}`;
  }

  #values(columns = this.#columns): string {
    return columns.map(([member, type]) => `item."${member}"${type === 'date' ? '::date' : ''}`).join(', ');
  }
}

function nameOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
