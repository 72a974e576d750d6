import { kitMigrations, type SqlMigration } from '@gateway/persistence';
import { ledgerTables } from '#src/migrations/0001-ledger.ts';
import { conversionTables } from '#src/migrations/0002-conversions.ts';
import { providerBalanceTable } from '#src/migrations/0003-provider-balances.ts';
import { redebits } from '#src/migrations/0004-redebits.ts';
import { providers } from '#src/migrations/0005-providers.ts';
import { conversionDeadline } from '#src/migrations/0006-conversion-deadline.ts';
import { chainHeads } from '#src/migrations/0007-chain-heads.ts';
import { comparedProviders } from '#src/migrations/0008-compared-providers.ts';
import { conversionById } from '#src/migrations/0009-conversion-by-id.ts';
import { treasury } from '#src/migrations/0010-treasury.ts';
import { treasuryBalances } from '#src/migrations/0011-treasury-balances.ts';
import { conversionSwitch } from '#src/migrations/0012-conversion-switch.ts';
import { treasuryAttempts } from '#src/migrations/0013-treasury-attempts.ts';
import { treasuryHolds } from '#src/migrations/0014-treasury-holds.ts';
import { proof } from '#src/migrations/0015-proof.ts';
import { incarnations } from '#src/migrations/0016-incarnations.ts';
import { anchors } from '#src/migrations/0017-anchors.ts';
import { chapters } from '#src/migrations/0018-chapters.ts';
import { keptAnswers } from '#src/migrations/0019-kept-answers.ts';
import { reconciliationFindings } from '#src/migrations/0020-reconciliation-findings.ts';
import { acceptedTimes } from '#src/migrations/0021-accepted-times.ts';
import { secondKeys } from '#src/migrations/0022-second-keys.ts';

/** The ledger's schema, in the order of its growth. */
export const migrations: readonly SqlMigration[] = [
  ...kitMigrations,
  ledgerTables,
  conversionTables,
  providerBalanceTable,
  redebits,
  providers,
  conversionDeadline,
  chainHeads,
  comparedProviders,
  conversionById,
  treasury,
  treasuryBalances,
  conversionSwitch,
  treasuryAttempts,
  treasuryHolds,
  proof,
  incarnations,
  anchors,
  chapters,
  keptAnswers,
  reconciliationFindings,
  acceptedTimes,
  secondKeys,
];
