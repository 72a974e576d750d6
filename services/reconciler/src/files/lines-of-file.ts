import { createHash } from 'node:crypto';
import { statementLineIdSchema } from '@gateway/contracts/ledger';
import { type Tx, RowArrays } from '@gateway/persistence';
import type { ReadMovement } from '@gateway/statement-files/read';
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
function equalsKey({ provider, currency }: FileOwner, { day, net, entryId, e2eId, text }: ReadMovement): string {
  const document = /[^0]/.test(entryId) ? entryId : (e2eId ?? text);
  const plain = `${provider}:file:${currency}:${day}:${net}:${document}`;
  const isBookable = statementLineIdSchema.safeParse(plain + '0'.repeat(numberCharactersMax)).success;
  if (isBookable) return plain;
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, hashCharacters);
  return `${provider}:file:${hash}`;
}

const countArrays = new RowArrays<'key' | 'count'>([
  ['key', 'text'],
  ['count', 'integer'],
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
    await tx.sql('create temporary table line_count (key text primary key, count integer not null) on commit drop');
    return new LineNumbers(tx, owner);
  }

  /** The keys of the lines, in their order. */
  async keysOf(movements: readonly ReadMovement[]): Promise<string[]> {
    const keys = movements.map((movement) => equalsKey(this.#owner, movement));
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const rows = await this.#tx.sql<{ key: string; count: number }>(
      `insert into line_count as known (key, count) select key, count from ${countArrays.from(1, 'item')}
       on conflict (key) do update set count = known.count + excluded.count returning key, count`,
      countArrays.parametersOf([...counts].map(([key, count]) => ({ key, count }))),
    );
    const next = new Map(rows.map(({ key, count }) => [key, count - (counts.get(key) ?? 0)]));
    return keys.map((key) => {
      const number = (next.get(key) ?? 0) + 1;
      next.set(key, number);
      return `${key}:${number}`;
    });
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
