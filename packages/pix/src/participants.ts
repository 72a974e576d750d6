import { readFileSync } from 'node:fs';
import { isEndToEndId } from '#src/identifiers/end-to-end-id.ts';

/** Names of participants of PIX by ISPB. */
export type Participants = ReadonlyMap<string, string>;

/** Names of the columns in our table and in the two lists of the Banco Central, in lower case without separators. */
const ispbColumns = ['ispb'];
const nameColumns = ['name', 'nomereduzido'];
const nameCharactersMax = 120;

/**
 * Reads a table of participants: ours (`ispb,name`), or the list of the participants of PIX or of the STR as the Banco
 * Central publishes it, with semicolons or commas. Lines that begin with `#` are comments.
 *
 * @throws RangeError naming the first line that is none, so that a wrong file is noticed before it is used
 */
export function readParticipants(text: string): Participants {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'));
  const headerAt = lines.findIndex(({ line }) => columnOf(line, ispbColumns) >= 0);
  const header = lines[headerAt]?.line ?? '';
  const [ispbAt, nameAt] = [columnOf(header, ispbColumns), columnOf(header, nameColumns)];
  if (ispbAt < 0 || nameAt < 0) throw new RangeError('the table has no line with the columns ispb and name');
  const separator = separatorOf(header);
  const participants = new Map<string, string>();
  for (const { line, number } of lines.slice(headerAt + 1)) {
    const cells = cellsOf(line, separator);
    // Spreadsheets drop the zeros at the beginning.
    const ispb = (cells[ispbAt] ?? '').padStart(8, '0');
    const name = cells[nameAt] ?? '';
    if (!/^[0-9A-Z]{8}$/.test(ispb) || name === '' || name.length > nameCharactersMax) {
      throw new RangeError(`line ${number} has no ISPB with a name`);
    }
    participants.set(ispb, name);
  }
  if (participants.size === 0) throw new RangeError('the table has no participants');
  return participants;
}

/** The table that comes with the product. */
export function shippedParticipants(): Participants {
  return readParticipants(readFileSync(new URL('../data/participants.csv', import.meta.url), 'utf8'));
}

/**
 * The ISPB in an end-to-end id: of the participant that initiated the payment, which is the payer's bank unless the payer
 * used a payment initiator. Null for an id that is not of the arrangement's form.
 */
export function ispbOfEndToEndId(e2eId: string): string | null {
  return isEndToEndId(e2eId) ? e2eId.slice(1, 9) : null;
}

function columnOf(line: string, names: readonly string[]): number {
  const cells = cellsOf(line, separatorOf(line)).map((cell) => cell.toLowerCase().replace(/[\s_]/g, ''));
  return cells.findIndex((cell) => names.includes(cell));
}

function separatorOf(line: string): string {
  return line.includes(';') ? ';' : ',';
}

/** The cells of a line; a quoted one may hold the separator. */
function cellsOf(line: string, separator: string): string[] {
  const cells = line.match(separator === ';' ? /("([^"]|"")*"|[^;"]*)(;|$)/g : /("([^"]|"")*"|[^,"]*)(,|$)/g) ?? [];
  return cells.map((cell) => {
    const bare = cell.endsWith(separator) ? cell.slice(0, -1) : cell;
    const unquoted = bare.startsWith('"') ? bare.slice(1, -1).replaceAll('""', '"') : bare;
    return unquoted.trim();
  });
}
