import type { Database } from '@gateway/persistence';

/** The lines that are there and say what they are about, by the names that their provider gives them. */
export async function explainedLines(
  database: Database,
  provider: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await database.query<{ name: string }>(
    `select name from unnest($2::text[]) as name join statement_source source on source.provider = $1
       cross join lateral (
         select from line where line.environment = 'live' and line.provider = source.provider
           and line.currency = source.currency and line.line_key = source.provider || ':' || name
           and (line.kind <> 'other' or coalesce(line.return_id, line.e2e_id, line.our_ref) is not null) offset 0
       ) line`,
    [provider, names],
    'explained-lines',
  );
  return new Set(found.map(({ name }) => name));
}
