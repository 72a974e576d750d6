/** PostgreSQL's clock at the moment of reading, in Unix milliseconds. */
export const postgresMsSql = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

interface Asked {
  query(text: string): Promise<{ readonly rows: unknown[] }>;
}

export async function postgresTimeMs(asked: Asked): Promise<number> {
  const { rows } = await asked.query(`select ${postgresMsSql} as ms`);
  const [row] = rows as { readonly ms: number }[];
  if (!row) throw new Error('PostgreSQL did not answer its time');
  return row.ms;
}
