import type { Paint } from './colours.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns of lists, as far as the records have them; in this order. */
const columnsOfRecords: readonly string[] = [
  ...['id', 'event', 'type', 'status', 'name', 'kind', 'amount', 'fee', 'balance_after', 'from_amount', 'to_amount'],
  ...[
    'external_id',
    'data_id',
    'deposit_id',
    'ref_id',
    'url',
    'attempts',
    'response_status',
    'created_at',
    'opened_at',
  ],
];
const columnCharactersMax = 48;

/** Rows below their headings. */
export function recordsTable(rows: readonly Row[], paint: Paint, columns = columnsOfRecords): string {
  if (rows.length === 0) return `${paint.dim('none')}\n`;
  const shown = columns.filter((column) => rows.some((row) => row[column] !== undefined));
  const names = shown.length > 0 ? shown : Object.keys(rows[0] ?? {});
  const isWhole = columns !== columnsOfRecords;
  const cells = rows.map((row) => names.map((name) => (isWhole ? textOf(row[name]) : cut(textOf(row[name])))));
  const widths = names.map((name, index) => Math.max(name.length, ...cells.map((row) => (row[index] ?? '').length)));
  const padded = (texts: readonly string[]) => texts.map((text, index) => text.padEnd(widths[index] ?? 0));
  const heading = padded(names.map((name) => name.toUpperCase().replaceAll('_', ' '))).join('  ');
  const lines = cells.map((row) =>
    padded(row)
      .map((text, index) => painted(names[index], text, paint))
      .join('  ')
      .trimEnd(),
  );
  return `${[paint.bold(heading.trimEnd()), ...lines].join('\n')}\n`;
}

/** A record, a line for each member. */
export function recordTable(record: Row, paint: Paint): string {
  const lines = flat(record, '');
  const width = Math.max(0, ...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${paint.dim(name.padEnd(width))}  ${painted(name, value, paint)}\n`).join('');
}

function flat(record: Row, prefix: string): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0)
      return flat(value as Row, `${prefix}${name}.`);
    return [[`${prefix}${name}`, textOf(value)]];
  });
}

const good = new Set(['PAID', 'DONE', 'DELIVERED', 'WON', 'COMPLETED', 'enabled']);
const bad = new Set(['FAILED', 'REJECTED', 'LOST', 'disabled']);

/** A key of real money is red, so that it is not taken for one of test mode. */
function painted(name: string | undefined, text: string, paint: Paint): string {
  if (name === 'status') return paintedStatus(text, paint);
  return name === 'environment' && text.trim() === 'live' ? paint.red(text) : text;
}

function paintedStatus(text: string, paint: Paint): string {
  const status = text.trim();
  if (good.has(status)) return paint.green(text);
  return bad.has(status) ? paint.red(text) : paint.yellow(text);
}

/** Texts of others could move the cursor of the terminal, or write over lines. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\p{C}/gu, '\uFFFD');
}

function cut(text: string): string {
  return text.length > columnCharactersMax ? `${text.slice(0, columnCharactersMax - 1)}…` : text;
}
