import { Client } from 'pg';

/** What a query of one connection answers, as a test looks into the database of a service or changes it by hand. */
export async function rowsOf<Row extends object>(
  url: string | undefined,
  sql: string,
  params: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...params])).rows;
  } finally {
    await client.end();
  }
}
