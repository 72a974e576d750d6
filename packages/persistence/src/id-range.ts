import type { ListOrder } from '@gateway/contracts/values';
import { idLowerBound, type IdKind } from '@gateway/money';
import { wanted, type Condition } from '#src/condition.ts';

/** A page of a list: a period, an order, and the last record that the caller has. */
export interface IdWindow {
  /** Unix seconds, inclusive. */
  readonly from?: number | undefined;
  /** Unix seconds, exclusive. */
  readonly to?: number | undefined;
  readonly order?: ListOrder | undefined;
  /** Of the last record received, in that order. */
  readonly cursor?: string | undefined;
}

/** Ids from the first bound on and before the second, where there are bounds. */
export interface IdRange {
  readonly $gte?: string;
  readonly $lt?: string;
}

/**
 * The ids of a page. Ids begin with their time and sort by it, so a period is a range of ids, which the index by id
 * serves; no list needs an index by time.
 */
export function idRange(kind: IdKind, { from, to, order, cursor }: IdWindow): IdRange {
  const begin = from === undefined ? undefined : idLowerBound(kind, Math.round(from * 1_000));
  const end = to === undefined ? undefined : idLowerBound(kind, Math.round(to * 1_000));
  // Ids are of one length: no id lies between one and the same with a character more.
  const first = order === 'asc' && cursor !== undefined ? later(begin, `${cursor}0`) : begin;
  const last = order !== 'asc' && cursor !== undefined ? earlier(end, cursor) : end;
  return { ...(first === undefined ? {} : { $gte: first }), ...(last === undefined ? {} : { $lt: last }) };
}

/** The same as conditions of a statement. */
export function idConditions(kind: IdKind, window: IdWindow): readonly Condition[] {
  const { $gte, $lt } = idRange(kind, window);
  return [...wanted('id >= ?', $gte), ...wanted('id < ?', $lt)];
}

/** The same as a condition of a query; none without bounds. */
export function idsWithin(kind: IdKind, window: IdWindow): { readonly id?: IdRange } {
  const range = idRange(kind, window);
  return Object.keys(range).length === 0 ? {} : { id: range };
}

function later(one: string | undefined, other: string): string {
  return one !== undefined && one > other ? one : other;
}

function earlier(one: string | undefined, other: string): string {
  return one !== undefined && one < other ? one : other;
}
