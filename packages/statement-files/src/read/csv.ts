import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { CsvMapping } from '@gateway/contracts/reconciler';
import { LocalDays, type Place, readAmount, readIsoTime, type When } from '#src/read/fields.ts';
import { type ReadMovement, type ReadSummary, readText, Totals, UnreadableStatement } from '#src/read/movement.ts';

/** One record of csv-parse, with the option `info`. */
interface CsvRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const recordCharactersMax = 65_536;
const rowsInBatch = 500;

/** The CSV of a bank, as its mapping describes it. A row with more or fewer columns than the header refuses the file. */
export async function* readCsv(
  texts: AsyncIterable<string>,
  mapping: CsvMapping,
): AsyncGenerator<readonly ReadMovement[], ReadSummary> {
  const table = new CsvTable(mapping);
  let batch: ReadMovement[] = [];
  try {
    for await (const row of rowsOf(texts, mapping)) {
      const movement = table.read(row);
      if (movement && batch.push(movement) >= rowsInBatch) {
        yield batch;
        batch = [];
      }
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  }
  yield batch;
  return table.summary();
}

function rowsOf(texts: AsyncIterable<string>, { delimiter, header_line }: CsvMapping): AsyncIterable<CsvRow> {
  const parser = parse({
    delimiter,
    info: true,
    bom: true,
    from_line: header_line,
    max_record_size: recordCharactersMax,
    skip_empty_lines: true,
  });
  const source = Readable.from(texts, { objectMode: false });
  source.once('error', (error) => parser.destroy(error));
  parser.once('close', () => source.destroy());
  return source.pipe(parser);
}

function unreadable(error: CsvError): UnreadableStatement {
  const { lines = 0 } = error as CsvError & { readonly lines?: number };
  const [reason = ''] = error.message.split(/[:,] /);
  return new UnreadableStatement(lines, 'csv', reason);
}

class CsvTable {
  readonly #mapping: CsvMapping;
  readonly #days: LocalDays;
  readonly #e2e: RegExp | null;
  readonly #totals = new Totals();
  #columns: ReadonlyMap<string, number> | undefined;

  constructor(mapping: CsvMapping) {
    this.#mapping = mapping;
    this.#days = new LocalDays(mapping.date.zone);
    this.#e2e = mapping.e2e && new RegExp(mapping.e2e.pattern);
  }

  /** The first row names the columns. */
  read({ record, info: { lines: line } }: CsvRow): ReadMovement | undefined {
    if (!this.#columns) {
      this.#columns = columnsOf(this.#mapping, record, line);
      return undefined;
    }
    const { amount, currency, date, id, type, text, e2e, balance } = this.#mapping;
    const columns = this.#columns;
    const cell = (name: string) => readText(record[columns.get(name) ?? -1] ?? '', line, name);
    const optional = (name: string | null) => (name === null ? '' : cell(name));
    const size = readAmount(cell(amount.column), currency, amount, { line, field: amount.column });
    const net = this.#signed(size, cell, line);
    const when = this.#when(cell(date.column), { line, field: date.column });
    if (net === 0) {
      this.#totals.withoutAmount += 1;
      return undefined;
    }
    const after = optional(balance);
    const movement: ReadMovement = {
      line,
      day: when.day,
      valueDay: null,
      entryId: optional(id),
      bookedAtMs: when.atMs,
      type: optional(type),
      recordId: null,
      externalId: null,
      e2eId: e2e && this.#e2e ? (this.#e2e.exec(cell(e2e.column))?.[0] ?? null) : null,
      gross: null,
      fee: null,
      net,
      balanceAfter: after === '' ? null : readAmount(after, currency, amount, { line, field: balance ?? '' }),
      counterparty: null,
      text: optional(text),
      raw: JSON.stringify(record),
    };
    this.#totals.add(movement);
    return movement;
  }

  #signed(size: number, cell: (name: string) => string, line: number): number {
    const { sign } = this.#mapping.amount;
    if (sign === 'amount') return size;
    const word = cell(sign.column);
    if (sign.credit.includes(word)) return size;
    if (!sign.debit.includes(word)) {
      throw new UnreadableStatement(
        line,
        sign.column,
        `is ${JSON.stringify(word.slice(0, 20))}: neither credit nor debit`,
      );
    }
    return size > 0 ? -size : size;
  }

  #when(text: string, place: Place): When {
    const { format } = this.#mapping.date;
    if (format === 'ISO') return readIsoTime(text, this.#days, place);
    const match = (format.startsWith('YYYY') ? yearFirst : dayFirst).exec(text.trim());
    const digits = format.replaceAll(/[A-Za-z]/g, '0');
    if (!match || text.trim().replaceAll(/\d/g, '0') !== digits) {
      throw new UnreadableStatement(place.line, place.field, `is no date in the form ${format}`);
    }
    const { year, month, day, hour = '0', minute = '0', second = '0' } = match.groups ?? {};
    const clock = { hour: Number(hour), minute: Number(minute), second: Number(second), ms: 0 };
    return this.#days.local(`${year}-${month}-${day}`, place, clock);
  }

  summary(): ReadSummary {
    if (!this.#columns) {
      throw new UnreadableStatement(1, 'header', `is missing in line ${this.#mapping.header_line}`);
    }
    return {
      account: null,
      currency: this.#mapping.currency,
      ...this.#totals.days(),
      opening: null,
      closing: null,
      movements: this.#totals.movements,
      withoutAmount: this.#totals.withoutAmount,
    };
  }
}

const time = '(?: (?<hour>\\d{2}):(?<minute>\\d{2})(?::(?<second>\\d{2}))?)?$';
const dayFirst = new RegExp(`^(?<day>\\d{2})\\D(?<month>\\d{2})\\D(?<year>\\d{4})${time}`);
const yearFirst = new RegExp(`^(?<year>\\d{4})\\D?(?<month>\\d{2})\\D?(?<day>\\d{2})${time}`);

/** @throws UnreadableStatement where a column of the mapping is missing, or stands twice */
function columnsOf(mapping: CsvMapping, record: readonly string[], line: number): ReadonlyMap<string, number> {
  const names = record.map((name) => name.trim());
  const { date, amount, id, type, text, e2e, balance } = mapping;
  const sign = amount.sign === 'amount' ? null : amount.sign.column;
  const wanted = [date.column, amount.column, sign, id, type, text, e2e?.column ?? null, balance];
  return new Map(
    wanted
      .filter((name) => name !== null)
      .map((name) => {
        const at = names.indexOf(name);
        if (at < 0) throw new UnreadableStatement(line, name, 'is no column of the file');
        if (names.includes(name, at + 1)) throw new UnreadableStatement(line, name, 'is the name of two columns');
        return [name, at];
      }),
  );
}
