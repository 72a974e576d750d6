import type { SqlMigration } from '@gateway/service-kit';
import { accountsAndKeys } from './0001-accounts-and-keys.ts';

export const migrations: readonly SqlMigration[] = [accountsAndKeys];
