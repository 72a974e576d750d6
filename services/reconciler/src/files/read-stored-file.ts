import type { ReplyOf } from '@gateway/contracts/messages';
import type { importStatementFile, StatementLine } from '@gateway/contracts/reconciler';
import { type Currency, rails } from '@gateway/money';
import { type Queries, queriesIn, RowArrays, type Tx } from '@gateway/persistence';
import {
  type ReadMovement,
  readStatementFile,
  type ReadSummary,
  type StatementFile as FileDescription,
} from '@gateway/statement-files/read';
import { LineNumbers, lineOf } from '#src/files/lines-of-file.ts';
import { mappingFor } from '#src/files/mappings.ts';
import { requireOwnDays } from '#src/files/statement-account.ts';
import type { StatementFileRow } from '#src/files/statement-file.ts';
import type { Line } from '#src/matching/items.ts';
import { statementZone } from '#src/matching/kinds.ts';

type DryRunReply = NonNullable<ReplyOf<typeof importStatementFile>['dryRun']>;
type Summary = DryRunReply['summary'];

interface LinesRead {
  readonly movements: readonly ReadMovement[];
  readonly lines: readonly Line[];
}

/** The bytes of a file, one chunk at a time. */
export async function* readChunks(source: Queries, id: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const [chunk] = await source.query<{ bytes: Buffer }>(
      'select bytes from statement_file_chunk where file_id = $1 and number = $2',
      [id, number],
    );
    if (!chunk) return;
    yield chunk.bytes;
  }
}

const lineKeys = new RowArrays<'lineKey'>([['lineKey', 'text']]);

/** A file with what is needed to read it. */
export class StoredFile {
  readonly row: StatementFileRow;
  readonly zone: string;
  readonly #description: FileDescription;

  constructor(row: StatementFileRow, description: FileDescription, zone: string) {
    this.row = row;
    this.zone = zone;
    this.#description = description;
  }

  /** @throws UnreadableStatement */
  read(
    chunks: AsyncIterable<Uint8Array>,
    take: (movements: readonly ReadMovement[]) => Promise<void> | void,
  ): Promise<ReadSummary> {
    return readStatementFile(chunks, this.#description, take);
  }

  /** Reads the file as lines of side P, and counts those that were not there. @throws UnreadableStatement */
  async linesIn(
    tx: Tx,
    chunks: AsyncIterable<Uint8Array>,
    take: (read: LinesRead) => Promise<void> | void,
  ): Promise<Summary> {
    const numbers = await LineNumbers.begin(tx, this.row);
    let newLines = 0;
    const summary = await this.read(chunks, async (movements) => {
      const keys = await numbers.keysOf(movements);
      newLines += keys.length - (await this.#known(tx, keys));
      await take({ movements, lines: movements.map((movement, at) => lineOf(this.row, movement, keys[at] ?? '')) });
    });
    await requireOwnDays(queriesIn(tx), this.row, summary);
    await numbers.requireWholeDays(this.zone, summary);
    return {
      account: summary.account,
      fromDay: summary.fromDay,
      toDay: summary.toDay,
      openingCents: summary.opening,
      closingCents: summary.closing,
      lines: summary.movements,
      newLines,
    };
  }

  async #known(tx: Tx, keys: readonly string[]): Promise<number> {
    const [found] = await tx.sql<{ count: number }>(
      `select count(*)::integer as count from ${lineKeys.from(3, 'item')} join line on line.environment = 'live'
         and line.provider = $1 and line.currency = $2 and line.line_key = item."lineKey"`,
      [this.row.provider, this.row.currency, ...lineKeys.parametersOf(keys.map((lineKey) => ({ lineKey })))],
    );
    return found?.count ?? 0;
  }
}

/** Days are those of the country of the money. */
function zoneOf(currency: Currency): string {
  return Object.values(rails).find((rail) => rail.currency === currency)?.timeZone ?? statementZone;
}

export async function storedFileFor(source: Queries, row: StatementFileRow): Promise<StoredFile> {
  const { format, provider, currency, mappingVersion } = row;
  if (format !== 'csv') {
    const zone = zoneOf(currency);
    return new StoredFile(row, { format, zone, currency }, zone);
  }
  const mapping = await mappingFor(source, provider, mappingVersion);
  if (!mapping) throw new Error(`${row.id} has no mapping`);
  return new StoredFile(row, { format, mapping: mapping.mapping }, mapping.mapping.date.zone);
}

/** As many lines as a dry run shows. */
const shownLinesMax = 20;

/** What a file would be. Nothing is written. */
export async function dryRunOf(tx: Tx, file: StoredFile): Promise<DryRunReply> {
  const shown: StatementLine[] = [];
  const summary = await file.linesIn(tx, readChunks(queriesIn(tx), file.row.id), ({ movements, lines }) => {
    for (const [at, movement] of movements.slice(0, shownLinesMax - shown.length).entries()) {
      shown.push(shownLine(movement, lines[at]?.kind ?? 'other'));
    }
  });
  return { summary, lines: shown };
}

function shownLine(movement: ReadMovement, kind: Line['kind']): StatementLine {
  const { line, day, net, entryId, e2eId, type, text, bookedAtMs } = movement;
  const bookedAt = new Date(bookedAtMs).toISOString();
  return { line, bookedAt, day, amountCents: net, kind, document: entryId, e2eId, type, text };
}
