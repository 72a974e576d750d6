/** A page of a list, and what the next one is asked for with. */
export interface Page<Row> {
  readonly rows: Row[];
  /** The id of the last row; null when nothing comes after it. */
  readonly nextCursor: string | null;
}

/** @param found in the list's order, one row more than the page has room for when there is another page */
export function pageOf<Row extends { readonly id: string }>(found: readonly Row[], limit: number): Page<Row> {
  const rows = found.slice(0, limit);
  return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
