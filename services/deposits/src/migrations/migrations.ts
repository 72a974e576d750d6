import { kitMigrations, type SqlMigration } from '@gateway/service-kit';
import { depositTables } from '#src/migrations/0001-deposits.ts';

export const migrations: readonly SqlMigration[] = [...kitMigrations, depositTables];
