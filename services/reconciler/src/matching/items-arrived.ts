import { RowArrays, type Database, type Tx } from '@gateway/persistence';
import { changeMatches } from '#src/matching/change-matches.ts';
import { Deltas } from '#src/matching/deltas.ts';
import { countLines } from '#src/matching/explained-hours.ts';
import {
  factColumns,
  lineColumns,
  storedLineColumns,
  type Fact,
  type Items,
  type Line,
  type LinePlace,
  type StoredLine,
} from '#src/matching/items.ts';
import { linkLines, type PlacedLine } from '#src/matching/link-lines.ts';
import type { LinkedRecord } from '#src/matching/linked-items.ts';
import { lockMatching } from '#src/matching/lock-matching.ts';
import { countDays } from '#src/matching/line-days.ts';

export interface MatchingDependencies {
  readonly database: Database;
  readonly now: () => Date;
}

/**
 * Writes what a side says and enters it in matching, a batch of any size with a fixed number of statements. Readers call
 * it in the transaction that also moves their place in the source: after a crash they read the same once more. An item that
 * is there already changes nothing; one with a higher revision takes the place of what it was before, and its match is
 * explained no longer until the other sides agree with it.
 *
 * Batches of one environment wait for each other: of a line and a record that arrive at the same moment, one has to see
 * the other.
 */
export async function itemsArrived(tx: Tx, { lines = [], facts = [] }: Items, now: Date): Promise<void> {
  await lockMatching(tx, [...lines, ...facts]);
  const deltas = new Deltas(now);
  const factChanges = await writeFacts(tx, facts);
  for (const fact of factChanges.before) deltas.fact(fact, -1);
  for (const fact of factChanges.after) deltas.fact(fact, 1);
  const lineChanges = await changedLines(tx, lines, now);
  const records = (some: readonly Fact[]): LinkedRecord[] =>
    some.filter(({ side, environment }) => side === 'R' && environment === 'live');
  const placed = await linkLines(
    tx,
    lineChanges.after.map(({ stored }) => stored),
    records(factChanges.after),
    [...records(factChanges.before), ...lineChanges.before],
  );
  await writeLines(tx, lineChanges, placed);
  await countDays(tx, lineChanges);
  await countLines(tx, lineChanges);
  for (const line of lineChanges.before) if (line.subject !== null) deltas.line(line, line.subject, -1);
  await placeLines(tx, placed, deltas, new Set(lineChanges.after.map(({ line }) => lineIdOf(line))));
  await changeMatches(tx, deltas.changes, now);
}

/** Lines at once that are stored and have no match, as after a rebuild. */
const pageLinesMax = 200;

/** Whether there are any, for the due work. */
export const linesNotEntered = '(select to_timestamp(0) from line where subject is null limit 1)';

/** Enters stored lines that have no match yet, a page at a time. */
export async function enterStoredLines({ database, now }: MatchingDependencies): Promise<void> {
  let entered = pageLinesMax;
  while (entered === pageLinesMax) entered = await database.transaction((tx) => enterPage(tx, now()));
}

async function enterPage(tx: Tx, now: Date): Promise<number> {
  await lockMatching(tx, [{ environment: 'live' }]);
  const lines = await tx.sql<StoredLine>(
    `select ${storedLineColumns.selectedFrom('line')} from line where subject is null
     order by provider, currency, line_key limit ${pageLinesMax}`,
  );
  const deltas = new Deltas(now);
  await placeLines(tx, await linkLines(tx, lines, [], []), deltas);
  await changeMatches(tx, deltas.changes, now);
  return lines.length;
}

/**
 * Gives a line to a match that its keys do not name, or, with null, leaves it to its keys again: two operators have decided
 * it, and it stays so when everything is matched anew.
 *
 * @returns whether there is such a line
 */
export async function pinLine(
  tx: Tx,
  key: Pick<Line, 'provider' | 'currency' | 'lineKey'>,
  pinnedSubject: string | null,
  now: Date,
): Promise<boolean> {
  await lockMatching(tx, [{ environment: 'live' }]);
  const [line] = await storedLines(tx, [key]);
  if (!line) return false;
  await tx.sql(
    `update line set pinned_subject = $4
     where (environment, provider, currency, line_key) = ('live', $1, $2, $3)`,
    [key.provider, key.currency, key.lineKey, pinnedSubject],
  );
  const deltas = new Deltas(now);
  await placeLines(tx, await linkLines(tx, [{ ...line, pinnedSubject }], [], []), deltas);
  await changeMatches(tx, deltas.changes, now);
  return true;
}

interface Changes<Before, After> {
  /** What items were that have changed. */
  readonly before: readonly Before[];
  /** What items are that were added or have changed. */
  readonly after: readonly After[];
}

/** The last version of each, should a batch have more than one. */
function latestOf<Item extends { readonly revision: number }>(items: readonly Item[], idOf: (item: Item) => string) {
  const latest = new Map<string, Item>();
  for (const item of items) {
    const known = latest.get(idOf(item));
    if (!known || item.revision > known.revision) latest.set(idOf(item), item);
  }
  return latest;
}

type FactKey = Pick<Fact, 'environment' | 'side' | 'key'>;

const factKey = ['environment', 'side', 'key'] as const;
const factKeys = new RowArrays<keyof FactKey>(factKey.map((member) => [member, 'text']));
const newFacts = factColumns.insertionOfNew(factKey);
const changedFacts = factColumns.replacementBy(factKey);

/** A `key` is null where the row says only how many were added. */
type AddedFact = { readonly count: number } & { readonly [Member in keyof FactKey]: FactKey[Member] | null };

async function writeFacts(tx: Tx, facts: readonly Fact[]): Promise<Changes<Fact, Fact>> {
  if (facts.length === 0) return { before: [], after: [] };
  const idOf = ({ environment, side, key }: AddedFact | FactKey) => `${environment} ${side} ${key}`;
  const latest = latestOf(facts, idOf);
  const items = [...latest.values()];
  const answered = await tx.sql<AddedFact>(newFacts, factColumns.arrays.parametersOf(items));
  if (answered[0]?.count === items.length) return { before: [], after: items };
  const added = new Set(answered.map(idOf));
  const known = items.filter((fact) => !added.has(idOf(fact)));
  const before = (await storedFacts(tx, known)).filter(
    (fact) => (latest.get(idOf(fact))?.revision ?? 0) > fact.revision,
  );
  const changed = before.flatMap((fact) => latest.get(idOf(fact)) ?? []);
  if (changed.length > 0) await tx.sql(changedFacts, factColumns.arrays.parametersOf(changed));
  return { before, after: [...items.filter((fact) => added.has(idOf(fact))), ...changed] };
}

async function storedFacts(tx: Tx, keys: readonly FactKey[]): Promise<Fact[]> {
  return await tx.sql<Fact>(
    `select fact.* from ${factKeys.from(1, 'item')} cross join lateral (
       select ${factColumns.selectedFrom('fact')} from fact
       where (fact.environment, fact.side, fact.key) = (item.environment, item.side, item.key) offset 0
     ) as fact`,
    factKeys.parametersOf(keys),
  );
}

interface ArrivedLine {
  readonly line: Line;
  readonly stored: StoredLine;
}

const lineIds = new RowArrays<'provider' | 'currency' | 'lineKey'>([
  ['provider', 'text'],
  ['currency', 'text'],
  ['lineKey', 'text'],
]);

function lineIdOf({ provider, currency, lineKey }: Pick<Line, 'provider' | 'currency' | 'lineKey'>): string {
  return `${provider} ${currency} ${lineKey}`;
}

async function storedLines(
  tx: Tx,
  keys: readonly Pick<Line, 'provider' | 'currency' | 'lineKey'>[],
): Promise<StoredLine[]> {
  return await tx.sql<StoredLine>(
    `select line.* from ${lineIds.from(1, 'item')} cross join lateral (
       select ${storedLineColumns.selectedFrom('line')} from line where line.environment = 'live'
         and (line.provider, line.currency, line.line_key) = (item.provider, item.currency, item."lineKey") offset 0
     ) as line`,
    lineIds.parametersOf(keys),
  );
}

async function changedLines(tx: Tx, lines: readonly Line[], now: Date): Promise<Changes<StoredLine, ArrivedLine>> {
  if (lines.length === 0) return { before: [], after: [] };
  const latest = latestOf(lines, lineIdOf);
  const stored = await storedLines(tx, [...latest.values()]);
  const known = new Map(stored.map((line) => [lineIdOf(line), line]));
  const before = stored.filter((line) => (latest.get(lineIdOf(line))?.revision ?? 0) > line.revision);
  const after = [...latest.values()].flatMap((line): ArrivedLine[] => {
    const earlier = known.get(lineIdOf(line));
    if (earlier && earlier.revision >= line.revision) return [];
    const kept = { pinnedSubject: earlier?.pinnedSubject ?? null, receivedAt: earlier?.receivedAt ?? now };
    return [{ line, stored: { ...line, ...kept, subject: null, rule: null } }];
  });
  return { before, after };
}

async function writeLines(
  tx: Tx,
  { before, after }: Changes<StoredLine, ArrivedLine>,
  placed: readonly PlacedLine[],
): Promise<void> {
  const places = new Map(placed.map(({ line, place }) => [lineIdOf(line), place]));
  const rows = after.map(({ line, stored: { receivedAt } }) => ({
    ...line,
    receivedAt,
    ...places.get(lineIdOf(line)),
  }));
  const earlier = new Set(before.map(lineIdOf));
  const added = rows.filter((row) => !earlier.has(lineIdOf(row)));
  const changed = rows.filter((row) => earlier.has(lineIdOf(row)));
  if (added.length > 0) await tx.sql(lineColumns.insertion, lineColumns.arrays.parametersOf(added));
  if (changed.length === 0) return;
  const key = ['environment', 'provider', 'currency', 'lineKey'] as const;
  await tx.sql(lineColumns.replacementBy(key), lineColumns.arrays.parametersOf(changed));
}

const placeArrays = new RowArrays<'environment' | 'provider' | 'currency' | 'lineKey' | keyof LinePlace>([
  ['environment', 'text'],
  ['provider', 'text'],
  ['currency', 'text'],
  ['lineKey', 'text'],
  ['subject', 'text'],
  ['rule', 'text'],
]);

/**
 * Adds lines to the matches they belong to, and takes those away from their former one that had another.
 *
 * @param written ids of lines that were written with their place
 */
async function placeLines(
  tx: Tx,
  placed: readonly PlacedLine[],
  deltas: Deltas,
  written: ReadonlySet<string> = new Set(),
): Promise<void> {
  const moved = placed.filter(({ line, place }) => line.subject !== place.subject);
  for (const { line, place } of moved) {
    if (line.subject !== null) deltas.line(line, line.subject, -1);
    deltas.line(line, place.subject, 1);
  }
  const unwritten = moved.filter(({ line }) => !written.has(lineIdOf(line)));
  if (unwritten.length === 0) return;
  await tx.sql(
    `update line set subject = item.subject, rule = item.rule from ${placeArrays.from(1, 'item')}
     where (line.environment, line.provider, line.currency, line.line_key)
       = (item.environment, item.provider, item.currency, item."lineKey")`,
    placeArrays.parametersOf(unwritten.map(({ line, place }) => ({ ...line, ...place }))),
  );
}
