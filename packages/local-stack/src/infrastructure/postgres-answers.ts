import { Client } from 'pg';

import { StartFailure } from '#src/failure.ts';

const connectTimeoutMs = 2_000;
const invalidPasswordCode = '28P01';

/**
 * Whether the server accepts connections and answers.
 *
 * @throws StartFailure when it answers that the password is wrong, which no waiting changes.
 */
export async function postgresAnswers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  // A server that goes away between two calls says so by an event; the next query reports it as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === invalidPasswordCode) {
      throw new StartFailure('PostgreSQL refuses the password in secrets.json: the file does not belong to this data');
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
