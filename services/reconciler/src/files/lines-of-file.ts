import { createHash } from 'node:crypto';
import { statementLineIdSchema } from '@gateway/contracts/ledger';
import { type Tx, RowArrays } from '@gateway/persistence';
import { type ReadMovement, type ReadSummary, UnreadableStatement } from '@gateway/statement-files/read';
import { kindOfMovement } from '#src/files/kind-of-line.ts';
import type { Line } from '#src/matching/items.ts';

/** Whose statement it is. */
export interface FileOwner {
  readonly id: string;
  readonly provider: string;
  readonly currency: string;
}

const ourReference = /(?<![0-9a-z])[0-7][0-9a-hjkmnp-tv-z]{25}(?![0-9a-z])/i;

/** A colon, and as many digits as a file may have movements. */
const numberCharactersMax = 7;
const hashCharacters = 32;

/**
 * What two files have in common when they have the same line: day, amount and the bank's document. Of lines that have all
 * three in common each has a number, so that the same payment twice is two lines, and a file that overlaps adds none.
 *
 * The ledger books fees and transfers of our own under this key, of all accounts: the account is in it, and what a command's
 * id cannot have is in it as its hash.
 */
function equalsKey({ provider, currency }: FileOwner, movement: ReadMovement): string {
  const { day, net, text } = movement;
  const document = documentOf(movement) ?? text;
  const plain = `${provider}:file:${currency}:${day}:${net}:${document}`;
  const isBookable = statementLineIdSchema.safeParse(plain + '0'.repeat(numberCharactersMax)).success;
  if (isBookable) return plain;
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, hashCharacters);
  return `${provider}:file:${hash}`;
}

/** The bank's own number of a movement, or the id of its transfer; a movement without either differs by its text alone. */
function documentOf({ entryId, e2eId }: ReadMovement): string | null {
  return /[^0]/.test(entryId) ? entryId : e2eId;
}

const countArrays = new RowArrays<'key' | 'count' | 'isNamed'>([
  ['key', 'text'],
  ['count', 'integer'],
  ['isNamed', 'boolean'],
]);

/** Numbers equal lines of one file, whatever its size: the counts are in a table of the transaction. */
export class LineNumbers {
  readonly #tx: Tx;
  readonly #owner: FileOwner;

  private constructor(tx: Tx, owner: FileOwner) {
    this.#tx = tx;
    this.#owner = owner;
  }

  static async begin(tx: Tx, owner: FileOwner): Promise<LineNumbers> {
    await tx.sql(
      `create temporary table line_count (key text primary key, count integer not null, is_named boolean not null)
       on commit drop`,
    );
    return new LineNumbers(tx, owner);
  }

  /** The keys of the lines, in their order. */
  async keysOf(movements: readonly ReadMovement[]): Promise<string[]> {
    const keys = movements.map((movement) => equalsKey(this.#owner, movement));
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const named = new Map(movements.map((movement, at) => [keys[at], documentOf(movement) !== null]));
    const rows = await this.#tx.sql<{ key: string; count: number }>(
      `insert into line_count as known (key, count, is_named)
       select key, count, "isNamed" from ${countArrays.from(1, 'item')}
       on conflict (key) do update set count = known.count + excluded.count returning key, count`,
      countArrays.parametersOf([...counts].map(([key, count]) => ({ key, count, isNamed: named.get(key) === true }))),
    );
    const next = new Map(rows.map(({ key, count }) => [key, count - (counts.get(key) ?? 0)]));
    return keys.map((key) => {
      const number = (next.get(key) ?? 0) + 1;
      next.set(key, number);
      return `${key}:${number}`;
    });
  }

  /**
   * Of a day that another file has more of, this file has a part. A movement that nothing names and that both have may be one
   * or two: it is not guessed.
   *
   * @param zone of the days of the file
   * @throws UnreadableStatement naming `days`
   */
  async requireWholeDays(zone: string, { fromDay, toDay }: Pick<ReadSummary, 'fromDay' | 'toDay'>): Promise<void> {
    const { id, provider, currency } = this.#owner;
    const [shared] = await this.#tx.sql<{ day: string; fileId: string }>(
      `select (line.booked_at at time zone $4)::date::text as day,
         min(line.file_id) filter (where not same.is_named) as "fileId"
       from line left join line_count same on same.key = regexp_replace(line.line_key, ':[0-9]+$', '')
         and same.count >= substring(line.line_key from '[0-9]+$')::integer
       where line.environment = 'live' and line.provider = $1 and line.currency = $2 and line.file_id <> $3
         and line.booked_at >= $5::date::timestamp at time zone $4
         and line.booked_at < ($6::date + 1)::timestamp at time zone $4
       group by 1 having not bool_and(same.key is not null) and bool_or(not same.is_named) order by 1 limit 1`,
      [provider, currency, id, zone, fromDay, toDay],
    );
    if (!shared) return;
    const part = `have a part of ${shared.day}, and ${shared.fileId} has another`;
    throw new UnreadableStatement(1, 'days', `${part}, with equal movements that have no number: import the whole day`);
  }
}

/** A line of side P. Returns in Pix have an id of their own, which begins with D. */
export function lineOf(owner: FileOwner, movement: ReadMovement, lineKey: string): Line {
  const { e2eId, text, entryId, externalId } = movement;
  const kind = kindOfMovement(owner, movement);
  const isReturn = e2eId?.startsWith('D') === true;
  const found = [entryId, externalId, text].map((each) => ourReference.exec(each ?? '')?.[0]);
  return {
    environment: 'live',
    provider: owner.provider,
    currency: owner.currency,
    kind,
    amount: movement.net,
    e2eId: isReturn ? null : e2eId,
    returnId: isReturn ? e2eId : null,
    ourRef: found.find((reference) => reference !== undefined) ?? null,
    counterparty: movement.counterparty?.document ?? null,
    revision: 1,
    lineKey,
    bookedAt: new Date(movement.bookedAtMs),
    day: movement.day,
    valueDate: movement.valueDay,
    text: text === '' ? movement.type : text,
    source: 'file',
    fileId: owner.id,
    batchKey: null,
    raw: Buffer.from(movement.raw),
  };
}
