import { kitMigrations, type SqlMigration } from '@gateway/persistence';
import { people } from '#src/migrations/0001-people.ts';

/** The schema of identity, in the order of its growth. */
export const migrations: readonly SqlMigration[] = [...kitMigrations, people];
