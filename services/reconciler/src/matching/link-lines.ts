import type { ItemKind, MatchRule } from '@gateway/contracts/reconciler';
import type { Tx } from '@gateway/persistence';
import type { LinePlace, StoredLine } from '#src/matching/items.ts';
import { kindRules, subjectOfLine } from '#src/matching/kinds.ts';
import {
  type ExternalKey,
  type KeyName,
  type LinkedRecord,
  linesWith,
  recordsWith,
  sharedIdLinesMax,
} from '#src/matching/linked-items.ts';

export interface PlacedLine {
  readonly line: StoredLine;
  readonly place: LinePlace;
}

type WithKeys = Pick<LinkedRecord, 'provider' | 'e2eId' | 'returnId' | 'ourRef'>;

/** Two operators decided it; it comes before every key. */
const byPeople = -1;

/**
 * Finds for each line the record it belongs to. Which lines and records are looked at follows from their keys alone: all
 * that share one with those that came, and all that share one with these. So the same items give the same result in
 * whatever order they came, and one that came later may take the place of another.
 *
 * @param lines that came or changed, in the version that counts from now on
 * @param records of live providers that came or changed
 * @param formerly with keys that these had before
 */
export async function linkLines(
  tx: Tx,
  lines: readonly StoredLine[],
  records: readonly LinkedRecord[],
  formerly: readonly WithKeys[],
): Promise<PlacedLine[]> {
  const allLines = new Map(lines.map((line) => [lineIdOf(line), line]));
  const allRecords = new Map(records.map((record) => [record.key, record]));
  const known = new Set<string>();
  let frontier = newKeys([...lines, ...records, ...formerly], known);
  while (frontier.length > 0) {
    const foundLines = await linesWith(tx, frontier);
    for (const line of foundLines) if (!allLines.has(lineIdOf(line))) allLines.set(lineIdOf(line), line);
    if (allLines.size === 0) return [];
    const foundRecords = await recordsWith(tx, frontier);
    for (const record of foundRecords) if (!allRecords.has(record.key)) allRecords.set(record.key, record);
    frontier = newKeys([...foundLines, ...foundRecords], known);
  }
  return placesOf([...allLines.values()], [...allRecords.values()]);
}

function lineIdOf({ provider, currency, lineKey }: StoredLine): string {
  return `${provider} ${currency} ${lineKey}`;
}

interface Edge {
  readonly line: StoredLine;
  readonly record: LinkedRecord;
  readonly rule: MatchRule;
  readonly rank: number;
}

/**
 * One line for a record at most, and one record for a line: the pair with the better key first. Several records may be of one
 * match, as the transfers of a payment are: the one that is called as their match is what people give a line to.
 */
function placesOf(lines: readonly StoredLine[], records: readonly LinkedRecord[]): PlacedLine[] {
  const bySubject = new Map(records.map((record) => [record.key, record]));
  const byKey = Map.groupBy(
    records.flatMap((record) => keysOf(record).map((key) => ({ id: idOfKey(key), record }))),
    ({ id }) => id,
  );
  const shared = Map.groupBy(
    lines.flatMap((line) => keysOf(line).map(idOfKey)),
    (id) => id,
  );
  const isShared = (id: string) => (shared.get(id)?.length ?? 0) > sharedIdLinesMax;
  const edges = lines.flatMap((line) => {
    const names = keysOf(line).filter((key) => !isShared(idOfKey(key)));
    const candidates = names.flatMap((key) => byKey.get(idOfKey(key)) ?? []);
    const pinned = line.pinnedSubject === null ? undefined : bySubject.get(line.pinnedSubject);
    const named = new Set(candidates.map(({ record }) => record));
    return [
      ...(pinned ? [{ line, record: pinned, rule: 'people' as const, rank: byPeople }] : []),
      ...[...named].flatMap((record) => edgeOf(line, record, names) ?? []),
    ];
  });
  const places = new Map<StoredLine, LinePlace>();
  const given = new Map<StoredLine, LinkedRecord>();
  const taken = new Set<string>();
  for (const { line, record, rule } of edges.sort(compareEdges)) {
    if (places.has(line) || taken.has(record.key)) continue;
    places.set(line, { subject: record.subject, rule });
    given.set(line, record);
    taken.add(record.key);
  }
  for (const [line, place] of undoneLines(lines, places, given)) places.set(line, place);
  return lines.map((line) => ({ line, place: places.get(line) ?? placeAlone(line) }));
}

/**
 * Some providers take the money of a payout when they begin with it, and put it back when it fails: one line undoes the
 * other. The second names the payment alone and no return; with the first it belongs to the payout's record, which says that
 * nothing has moved. So does a refund that came back from the payer's bank, once its record says so: both lines have its id.
 */
function undoneLines(
  lines: readonly StoredLine[],
  places: ReadonlyMap<StoredLine, LinePlace>,
  given: ReadonlyMap<StoredLine, LinkedRecord>,
): Map<StoredLine, LinePlace> {
  const undone = new Map<StoredLine, LinePlace>();
  const sent = new Map<string, { readonly line: StoredLine; readonly place: LinePlace }>();
  for (const [line, place] of places) {
    if (line.kind === 'payout' && line.e2eId !== null) sent.set(idOfUndone(line, 'e2e_id'), { line, place });
    const saysNothing = given.get(line)?.amount === 0;
    if (line.kind === 'refund' && line.returnId !== null && saysNothing)
      sent.set(idOfUndone(line, 'return_id'), { line, place });
  }
  const back = lines.filter(({ kind, returnId, e2eId }) => kind === 'payout_return' && (returnId ?? e2eId) !== null);
  for (const line of back.toSorted(compareLines)) {
    const rule = line.returnId === null ? 'e2e_id' : 'return_id';
    const found = sent.get(idOfUndone(line, rule));
    if (!found || places.has(line) || line.pinnedSubject !== null || found.line.amount + line.amount !== 0) continue;
    undone.set(line, { subject: found.place.subject, rule });
    sent.delete(idOfUndone(line, rule));
  }
  return undone;
}

function idOfUndone(line: StoredLine, name: KeyName): string {
  return `${line.provider} ${line.currency} ${name} ${valueOf(line, name) ?? ''}`;
}

/** People may give a line to a subject of which nothing has arrived, or not yet. */
function placeAlone({ kind, lineKey, pinnedSubject }: StoredLine): LinePlace {
  if (pinnedSubject !== null) return { subject: pinnedSubject, rule: 'people' };
  return { subject: subjectOfLine(kind, lineKey), rule: null };
}

const ofDisputes: readonly ItemKind[] = ['dispute_return', 'dispute_overturn'];

function edgeOf(line: StoredLine, record: LinkedRecord, keys: readonly ExternalKey[]): Edge | undefined {
  if (line.pinnedSubject !== null || !mayBelong(line, record)) return undefined;
  const rules = kindRules[record.kind].lineKeys;
  const rank = rules.findIndex((name) => keys.some((key) => key.name === name && key.value === valueOf(record, name)));
  const rule = rules[rank];
  if (!rule) return undefined;
  // The reference of a dispute is that of its charge, whose refunds have it too: the amount has to say which it is.
  const isWeak = rule === 'our_ref' && ofDisputes.includes(record.kind);
  return isWeak && line.amount !== record.amount ? undefined : { line, record, rule, rank };
}

/** Of the same kind, unless the statement does not say what the line is, and in the same direction. */
function mayBelong(line: StoredLine, record: LinkedRecord): boolean {
  const isSameAccount = line.provider === record.provider && line.currency === record.currency;
  const isSameKind =
    line.kind === record.kind || (line.kind === ('other' satisfies ItemKind) && !isReturned(line, record));
  return isSameAccount && isSameKind && Math.sign(line.amount) * Math.sign(record.amount) >= 0;
}

/** What has an id of a return has gone back: it is not the payment itself. */
function isReturned(line: StoredLine, record: LinkedRecord): boolean {
  return line.returnId !== null && record.kind === 'payment';
}

function compareEdges(one: Edge, other: Edge): number {
  return (
    one.rank - other.rank ||
    Number(one.line.amount !== one.record.amount) - Number(other.line.amount !== other.record.amount) ||
    compareLines(one.line, other.line) ||
    one.record.occurredAt.getTime() - other.record.occurredAt.getTime() ||
    compareText(one.record.key, other.record.key)
  );
}

function compareLines(one: StoredLine, other: StoredLine): number {
  return one.bookedAt.getTime() - other.bookedAt.getTime() || compareText(one.lineKey, other.lineKey);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function valueOf(item: WithKeys, name: KeyName): string | null {
  switch (name) {
    case 'e2e_id':
      return item.e2eId;
    case 'return_id':
      return item.returnId;
    case 'our_ref':
      return item.ourRef;
  }
}

function keysOf(item: WithKeys): ExternalKey[] {
  const names: readonly KeyName[] = ['e2e_id', 'return_id', 'our_ref'];
  return names.flatMap((name) => {
    const value = valueOf(item, name);
    return value === null ? [] : [{ provider: item.provider, name, value }];
  });
}

function idOfKey({ provider, name, value }: ExternalKey): string {
  return `${provider} ${name} ${value}`;
}

function newKeys(items: readonly WithKeys[], known: Set<string>): ExternalKey[] {
  return items.flatMap(keysOf).filter((key) => {
    const isNew = !known.has(idOfKey(key));
    known.add(idOfKey(key));
    return isNew;
  });
}
