import { ledgerSeenTable } from '@gateway/messaging';
import { kitMigrations, type SqlMigration } from '@gateway/persistence';
import { callFigureMigrations } from '@gateway/provider-feeds';
import { depositTables } from '#src/migrations/0001-deposits.ts';
import { orphanReceiptTables } from '#src/migrations/0002-orphan-receipts.ts';
import { refundTables } from '#src/migrations/0003-refunds.ts';
import { disputeTables } from '#src/migrations/0004-disputes.ts';
import { providerPollTables } from '#src/migrations/0005-provider-polls.ts';
import { orphanReceiptIds } from '#src/migrations/0009-orphan-receipt-ids.ts';
import { oneDisputeInTheLedger } from '#src/migrations/0010-one-dispute-in-the-ledger.ts';
import { overLimit } from '#src/migrations/0011-over-limit.ts';
import { providerBalanceTables } from '#src/migrations/0012-provider-balances.ts';
import { returnsToTheEnd } from '#src/migrations/0013-returns-to-the-end.ts';
import { disputesToTheEnd } from '#src/migrations/0015-disputes-to-the-end.ts';
import { depositFeeds } from '#src/migrations/0016-feeds.ts';
import { failedReturns } from '#src/migrations/0017-failed-returns.ts';
import { disputeResolutions } from '#src/migrations/0018-dispute-resolutions.ts';
import { chargesAtEveryProvider } from '#src/migrations/0019-one-index-for-every-provider.ts';
import { plannedRechecks } from '#src/migrations/0020-planned-rechecks.ts';
import { oneIndexByEnvironment } from '#src/migrations/0021-one-index-by-environment.ts';
import { foundByPayer } from '#src/migrations/0022-found-by-payer.ts';
import { paymentPageColumns } from '#src/migrations/0023-payment-page.ts';
import { askedAmounts } from '#src/migrations/0024-asked-amounts.ts';
import { countedReturns } from '#src/migrations/0025-counted-returns.ts';
import { trackingKeys } from '#src/migrations/0026-tracking-keys.ts';
import { foundByTrackingKey } from '#src/migrations/0027-found-by-tracking-key.ts';
import { foundAndTraced } from '#src/migrations/0028-found-and-traced.ts';
import { evidenceFiles } from '#src/migrations/0030-evidence-files.ts';
import { paymentsByTheirKeys } from '#src/migrations/0031-payments-by-their-keys.ts';
import { overturnedDisputes } from '#src/migrations/0032-overturned-disputes.ts';
import { returnsByTheirPayment } from '#src/migrations/0033-returns-by-their-payment.ts';
import { refundsThatCameBack } from '#src/migrations/0034-refunds-that-came-back.ts';
import { comeBacks } from '#src/migrations/0035-come-backs.ts';
import { enteredDisputes } from '#src/migrations/0036-entered-disputes.ts';
import { externalIdsOfKeptRefunds, releasedRefunds } from '#src/migrations/0037-released-refunds.ts';
import { lastCalls } from '#src/migrations/0039-last-calls.ts';
import { paymentsInOneStatement } from '#src/migrations/0029-payments-in-one-statement.ts';
import { providerSettingTables } from '#src/migrations/0007-provider-settings.ts';
import { typedAmounts } from '#src/migrations/0008-typed-amounts.ts';
import { qrUrlColumn } from '#src/migrations/0006-qr-urls.ts';

export const migrations: readonly SqlMigration[] = [
  ...kitMigrations,
  depositTables,
  orphanReceiptTables,
  refundTables,
  disputeTables,
  providerPollTables,
  qrUrlColumn,
  providerSettingTables,
  typedAmounts,
  orphanReceiptIds,
  oneDisputeInTheLedger,
  overLimit,
  providerBalanceTables,
  returnsToTheEnd,
  disputesToTheEnd,
  ...depositFeeds,
  failedReturns,
  disputeResolutions,
  chargesAtEveryProvider,
  plannedRechecks,
  oneIndexByEnvironment,
  foundByPayer,
  paymentPageColumns,
  askedAmounts,
  countedReturns,
  trackingKeys,
  foundByTrackingKey,
  foundAndTraced,
  paymentsInOneStatement,
  evidenceFiles,
  paymentsByTheirKeys,
  ledgerSeenTable,
  overturnedDisputes,
  returnsByTheirPayment,
  refundsThatCameBack,
  comeBacks,
  enteredDisputes,
  ...callFigureMigrations,
  releasedRefunds,
  externalIdsOfKeptRefunds,
  lastCalls,
];
