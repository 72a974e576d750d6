import type { Client } from 'pg';
import type { Session } from '#src/writer/session.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A connection to a real server that may break before any statement, or after it has been carried out. */
export interface FaultySession extends Session {
  /** Ends it as the death of its process would: the server gives its lock to others. */
  readonly end: () => Promise<void>;
  /** Loses the lock while its owner believes in it: the start of a zombie. */
  readonly loseLock: () => Promise<void>;
}

export function faultySession(client: Client, random: SeededRandom, probability: () => number): FaultySession {
  let broken = false;
  const breaks = () => {
    broken = true;
    return Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
  };
  const loseLock = async () => void (await client.query('select pg_advisory_unlock_all()'));
  const query = async (text: string, values: unknown[]) => {
    if (broken || random.chance(probability())) throw breaks();
    const result: unknown = await client.query(text, values);
    if (random.chance(probability())) throw breaks();
    return result;
  };
  return { query: query as unknown as Client['query'], end: loseLock, loseLock };
}
