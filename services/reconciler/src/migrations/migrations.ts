import { ledgerSeenTable } from '@gateway/messaging';
import { kitMigrations, type SqlMigration } from '@gateway/persistence';
import { feedMigrations } from '@gateway/provider-feeds';
import { linesAndFacts } from '#src/migrations/0001-lines-and-facts.ts';
import { matches } from '#src/migrations/0002-matches.ts';
import { sides } from '#src/migrations/0003-sides.ts';
import { feesToBook } from '#src/migrations/0004-fees-to-book.ts';
import { statementFiles } from '#src/migrations/0005-statement-files.ts';
import { decisions } from '#src/migrations/0006-decisions.ts';
import { refundsWithoutLine } from '#src/migrations/0007-refunds-without-line.ts';
import { ownTransfers } from '#src/migrations/0008-own-transfers.ts';
import { ledgerAgain } from '#src/migrations/0009-ledger-again.ts';
import { kindsOfDays } from '#src/migrations/0010-kinds-of-days.ts';
import { keptMonths } from '#src/migrations/0011-kept-months.ts';
import { explainedHours } from '#src/migrations/0012-explained-hours.ts';
import { bookedFees } from '#src/migrations/0013-booked-fees.ts';
import { eachAdjustment } from '#src/migrations/0014-each-adjustment.ts';
import { kindsOfAdjustments } from '#src/migrations/0015-kinds-of-adjustments.ts';

/** The reconciler's schema, in the order of its growth. */
export const migrations: readonly SqlMigration[] = [
  ...kitMigrations,
  linesAndFacts,
  matches,
  ...feedMigrations,
  sides,
  feesToBook,
  statementFiles,
  decisions,
  refundsWithoutLine,
  ownTransfers,
  ledgerAgain,
  ledgerSeenTable,
  kindsOfDays,
  keptMonths,
  explainedHours,
  bookedFees,
  eachAdjustment,
  kindsOfAdjustments,
];
