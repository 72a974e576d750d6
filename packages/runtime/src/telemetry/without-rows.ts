const placeholder = '[row]';

/** Members in which PostgreSQL quotes rows and parameters. */
const quotingMembers: readonly string[] = ['detail', 'where', 'internalQuery'];

/**
 * What PostgreSQL quotes of rows in an error. A row holds names, documents and keys, which belong in no log and no trace
 * (design.md 9), and MikroORM repeats it in its message.
 */
export function quotedRows(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const members = error as unknown as Readonly<Record<string, unknown>>;
  const own = quotingMembers.map((member) => members[member]);
  const several: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const within = [error.cause, ...several];
  const found = own.filter((value) => typeof value === 'string' && value !== '') as string[];
  return [...found, ...within.flatMap((inner) => quotedRows(inner, depth + 1))];
}

/** Of a text, everything but the rows quoted in it. */
export function withoutRows(text: string, rows: readonly string[]): string {
  return rows.reduce((kept, row) => kept.replaceAll(row, placeholder), text);
}

/** A serialized error, or what is in it, without the rows. */
export function serializedWithoutRows(logged: unknown, rows: readonly string[], depth = 0): unknown {
  if (typeof logged === 'string') return withoutRows(logged, rows);
  if (typeof logged !== 'object' || logged === null || depth > 5) return logged;
  if (Array.isArray(logged)) return logged.map((item) => serializedWithoutRows(item, rows, depth + 1));
  const kept: Record<string, unknown> = {};
  // Members of pino's prototype too.
  for (const member in logged) {
    if (quotingMembers.includes(member)) continue;
    kept[member] = serializedWithoutRows((logged as Record<string, unknown>)[member], rows, depth + 1);
  }
  return kept;
}
