import { kitMigrations, type SqlMigration } from '@gateway/persistence';
import { signingKeys } from '#src/migrations/0001-signing-keys.ts';
import { integrations } from '#src/migrations/0002-integrations.ts';

/** The facade's schema, in the order of its growth. */
export const migrations: readonly SqlMigration[] = [...kitMigrations, signingKeys, integrations];
