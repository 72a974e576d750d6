/** The value that the given share of all values does not exceed (nearest rank). NaN when there are none. */
export function percentile(ascending: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(ascending.length * share));
  return ascending[rank - 1] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b);
  const middle = ascending.length / 2;
  if (!Number.isInteger(middle)) return percentile(ascending, 0.5);
  return ((ascending[middle - 1] ?? Number.NaN) + (ascending[middle] ?? Number.NaN)) / 2;
}
