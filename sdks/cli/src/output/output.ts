import { createInterface } from 'node:readline/promises';
import { type Paint, paintOf } from './colours.ts';
import { amountsShown } from './money.ts';
import { recordsTable, recordTable } from './table.ts';

export type Form = 'table' | 'json' | 'jsonl' | 'quiet';

/** Where a run writes, and what it asks. */
export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
}

type Row = Readonly<Record<string, unknown>>;

/** Data goes to standard output, in one form; everything else goes to standard error. */
export class Output {
  readonly form: Form;
  readonly paint: Paint;
  readonly streams: Streams;

  constructor(form: Form, streams: Streams, colours: boolean) {
    this.form = form;
    this.streams = streams;
    this.paint = paintOf(colours);
  }

  /** Text or bytes that are data. */
  raw(data: string | Uint8Array): void {
    this.streams.stdout.write(data);
  }

  line(text: string): void {
    this.raw(`${text}\n`);
  }

  /** Words about what happens. */
  talk(text: string): void {
    this.streams.stderr.write(`${text}\n`);
  }

  /** One record, as the gateway answered it. */
  record(value: object): void {
    const record = unwrapped(value);
    if (this.form === 'quiet') this.line(idOf(record));
    else if (this.form === 'table') this.raw(recordTable(amountsShown(record), this.paint));
    else this.line(JSON.stringify(value, null, this.form === 'json' ? 2 : undefined));
  }

  /**
   * A list: one document, a line for each record, or a table.
   *
   * @param columns of the table; without them those that records of the gateway have
   */
  list(rows: readonly Row[], document: unknown, columns?: readonly string[]): void {
    if (this.form === 'json') this.line(JSON.stringify(document, null, 2));
    else if (this.form === 'table') this.raw(recordsTable(rows.map(shownAmounts), this.paint, columns));
    else for (const row of rows) this.line(this.form === 'quiet' ? idOf(row) : JSON.stringify(row));
  }

  /** Whether a person sits at it. */
  get isTerminal(): boolean {
    return this.streams.stdin.isTTY && this.streams.stderr.isTTY;
  }

  /** @returns what a person types, or undefined without a terminal */
  async ask(question: string): Promise<string | undefined> {
    if (!this.isTerminal) return undefined;
    const lines = createInterface({ input: this.streams.stdin, output: this.streams.stderr });
    try {
      return (await lines.question(question)).trim();
    } finally {
      lines.close();
    }
  }
}

const shownAmounts = (row: Row): Row => amountsShown(row);

/** `{ payout: { … } }` has one record. */
function unwrapped(value: object): Row {
  const record = value as Row;
  const [name, ...others] = Object.keys(record);
  const inner = name === undefined ? undefined : record[name];
  const isWrapped = others.length === 0 && typeof inner === 'object' && inner !== null && 'id' in inner;
  return isWrapped ? inner : record;
}

function idOf({ id, name }: Row): string {
  if (typeof id === 'string') return id;
  return typeof name === 'string' ? name : '';
}
