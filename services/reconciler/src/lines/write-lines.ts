import type { ItemKind } from '@gateway/contracts/reconciler';
import { RowArrays, type Tx } from '@gateway/persistence';
import type { StatementLine } from '@gateway/providers';
import { ofListedDays } from '#src/lines/statement-periods.ts';
import { itemsArrived } from '#src/matching/items-arrived.ts';
import type { Line } from '#src/matching/items.ts';

/** A line with the row it was read from. */
export interface ReadLine {
  readonly line: StatementLine;
  readonly raw: unknown;
}

const kinds = {
  payment: 'payment',
  refund: 'refund',
  payout: 'payout',
  return: 'payout_return',
  med_return: 'dispute_return',
  overturn: 'dispute_overturn',
  fee: 'provider_fee',
  own_transfer: 'own_transfer',
  other: 'other',
} as const satisfies Record<StatementLine['kind'], ItemKind>;

/**
 * Writes what a statement says, in the transaction that moves its reader on. Statements are read again and again: a line that
 * says nothing new is left alone. One with another amount, or which says by now what it is about, takes the place of what
 * it was. A new line of a day that a file has is that file's.
 */
export async function writeLines(tx: Tx, provider: string, read: readonly ReadLine[], now: Date): Promise<void> {
  if (read.length === 0) return;
  const arrived = read.map((each) => lineOf(provider, each));
  const known = await knownLines(tx, arrived);
  const added = await ofListedDays(
    tx,
    provider,
    arrived.filter((line) => !known.has(idOf(line))),
  );
  const corrected = arrived.flatMap((line) => {
    const earlier = known.get(idOf(line));
    return earlier ? (changed(earlier, line) ?? []) : [];
  });
  const lines = [...added, ...corrected];
  if (lines.length > 0) await itemsArrived(tx, { lines }, now);
}

/** Ids of lines are a provider's own: with its name before them they name a line, and a booking of it, alone. */
function lineOf(provider: string, { line, raw }: ReadLine): Line {
  const { lineKey, bookedAt, valueDate, amount, currency, e2eId, returnId, ourRef, counterparty, text } = line;
  return {
    environment: 'live',
    provider,
    lineKey: `${provider}:${lineKey}`,
    kind: kinds[line.kind],
    ...{ bookedAt, valueDate, amount, currency, e2eId, returnId, ourRef, counterparty, text },
    source: 'list',
    fileId: null,
    batchKey: null,
    raw: Buffer.from(JSON.stringify(raw)),
    revision: 0,
  };
}

type Known = Pick<
  Line,
  'provider' | 'currency' | 'lineKey' | 'kind' | 'amount' | 'e2eId' | 'returnId' | 'ourRef' | 'revision'
>;

const keys = new RowArrays<'provider' | 'currency' | 'lineKey'>([
  ['provider', 'text'],
  ['currency', 'text'],
  ['lineKey', 'text'],
]);

async function knownLines(tx: Tx, lines: readonly Line[]): Promise<ReadonlyMap<string, Known>> {
  const found = await tx.sql<Known>(
    `select line.provider, line.currency, line.line_key as "lineKey", line.kind, line.amount, line.e2e_id as "e2eId",
       line.return_id as "returnId", line.our_ref as "ourRef", line.revision
     from ${keys.from(1, 'item')} join line on line.environment = 'live'
       and (line.provider, line.currency, line.line_key) = (item.provider, item.currency, item."lineKey")`,
    keys.parametersOf(lines),
  );
  return new Map(found.map((line) => [idOf(line), line]));
}

function idOf({ currency, lineKey }: Pick<Line, 'currency' | 'lineKey'>): string {
  return `${currency} ${lineKey}`;
}

/**
 * The line as it replaces the earlier one, or nothing where it adds nothing. What was known of it stays known: another list
 * of the same movements may say less.
 */
function changed(earlier: Known, line: Line): Line | undefined {
  const merged = {
    kind: earlier.kind === 'other' ? line.kind : earlier.kind,
    e2eId: line.e2eId ?? earlier.e2eId,
    returnId: line.returnId ?? earlier.returnId,
    ourRef: line.ourRef ?? earlier.ourRef,
  };
  const isSame =
    line.amount === earlier.amount &&
    merged.kind === earlier.kind &&
    merged.e2eId === earlier.e2eId &&
    merged.returnId === earlier.returnId &&
    merged.ourRef === earlier.ourRef;
  return isSame ? undefined : { ...line, ...merged, revision: earlier.revision + 1 };
}
