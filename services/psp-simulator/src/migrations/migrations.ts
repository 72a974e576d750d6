import type { SqlMigration } from '@gateway/persistence';
import { bacenCharges } from '#src/migrations/0001-bacen-charges.ts';
import { bank } from '#src/migrations/0002-bank.ts';
import { proofs } from '#src/migrations/0003-proofs.ts';
import { lies } from '#src/migrations/0004-lies.ts';
import { accountsByProvider } from '#src/migrations/0005-accounts-by-provider.ts';
import { exchange } from '#src/migrations/0006-exchange.ts';
import { accountEntries } from '#src/migrations/0007-account-entries.ts';
import { chargeNames } from '#src/migrations/0008-charge-names.ts';

export const migrations: readonly SqlMigration[] = [
  bacenCharges,
  bank,
  proofs,
  lies,
  accountsByProvider,
  exchange,
  accountEntries,
  chargeNames,
];
