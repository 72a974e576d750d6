import { ledgerSeenTable } from '@gateway/messaging';
import { kitMigrations, type SqlMigration } from '@gateway/persistence';
import { callFigureMigrations, feedMigrations } from '@gateway/provider-feeds';
import { payoutTable } from '#src/migrations/0001-payouts.ts';
import { operatorDecisions } from '#src/migrations/0002-operator-decisions.ts';
import { paymentMethod } from '#src/migrations/0003-payment-method.ts';
import { releasedAndLean } from '#src/migrations/0004-released-and-lean.ts';
import { providerPolls } from '#src/migrations/0005-provider-polls.ts';
import { decisionReason } from '#src/migrations/0006-decision-reason.ts';
import { certainty } from '#src/migrations/0007-certainty.ts';
import { lastCall } from '#src/migrations/0008-last-call.ts';
import { changesInPlace } from '#src/migrations/0009-changes-in-place.ts';
import { attemptsAndReasons } from '#src/migrations/0010-attempts-and-reasons.ts';
import { foundByRecipient } from '#src/migrations/0011-found-by-recipient.ts';

export const migrations: readonly SqlMigration[] = [
  ...kitMigrations,
  payoutTable,
  operatorDecisions,
  paymentMethod,
  releasedAndLean,
  providerPolls,
  decisionReason,
  certainty,
  lastCall,
  changesInPlace,
  attemptsAndReasons,
  ...feedMigrations,
  foundByRecipient,
  ledgerSeenTable,
  ...callFigureMigrations,
];
