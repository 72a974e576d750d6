import {
  bigintArray,
  booleanArray,
  byteaArray,
  integerArray,
  jsonbArray,
  textArray,
  timestampArray,
} from '#src/array-parameter.ts';

/** What a column holds; the value's type in a row follows from it, and any may be null. */
export type ColumnType = 'text' | 'bigint' | 'integer' | 'boolean' | 'jsonb' | 'timestamptz' | 'bytea';

/**
 * Rows as the parameters of one prepared statement: an array per member, in the binary format. PostgreSQL takes a third
 * of the time it needs for the same rows as JSON.
 */
export class RowArrays<Member extends string> {
  readonly #columns: readonly (readonly [Member, ColumnType])[];

  /** @param columns the members of a row, with the types of their columns */
  constructor(columns: readonly (readonly [Member, ColumnType])[]) {
    this.#columns = columns;
  }

  /** How many parameters they are. */
  get count(): number {
    return this.#columns.length;
  }

  /** For `from`: the rows, under the names of their members, read from the parameters beginning with that number. */
  from(firstParameter: number, alias: string): string {
    const arrays = this.#columns.map(([, type], index) => `$${firstParameter + index}::${type}[]`);
    const members = this.#columns.map(([member]) => `"${member}"`);
    return asMany(`unnest(${arrays.join(', ')}) as ${alias} (${members.join(', ')})`, arrays[0] ?? '', alias);
  }

  /** In the order of the parameters. */
  parametersOf(rows: readonly Readonly<Partial<Record<Member, unknown>>>[]): Buffer[] {
    return this.#columns.map(([member, type]) =>
      arrayOf(
        type,
        rows.map((row) => row[member] ?? null),
      ),
    );
  }
}

/**
 * As many rows as an array of the parameters has, which says nothing but how few they may be: without it PostgreSQL takes ten
 * for granted where it does not know the array, finds the plan for the few at hand cheaper, and so plans the statement anew
 * each time instead of keeping the plan that it has prepared.
 *
 * @param source what `from` reads, under that alias
 * @param array one of the arrays that it reads, with its type
 */
export function asMany(source: string, array: string, alias: string): string {
  return `(select * from ${source} limit cardinality(${array})) as ${alias}`;
}

function arrayOf(type: ColumnType, values: readonly unknown[]): Buffer {
  switch (type) {
    case 'text':
      return textArray(values as (string | null)[]);
    case 'bigint':
      return bigintArray(values as (number | null)[]);
    case 'integer':
      return integerArray(values as (number | null)[]);
    case 'boolean':
      return booleanArray(values as (boolean | null)[]);
    case 'jsonb':
      return jsonbArray(values.map((value) => (value === null ? null : JSON.stringify(value))));
    case 'timestamptz':
      return timestampArray(values as (Date | null)[]);
    case 'bytea':
      return byteaArray(values.map((value) => (value === null ? null : (value as Buffer).toString('hex'))));
  }
}
