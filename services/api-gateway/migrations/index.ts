import { ledgerSeenTable } from '@gateway/messaging';
import type { SqlMigration } from '@gateway/persistence';
import { accountsAndKeys } from './0001-accounts-and-keys.ts';
import { ipAllowlist } from './0002-ip-allowlist.ts';
import { adjustments } from './0003-adjustments.ts';
import { auditByTarget } from './0004-audit-by-target.ts';
import { adjustmentApprovedAt } from './0005-adjustment-approved-at.ts';
import { approvals } from './0006-approvals.ts';
import { decidedAdjustments } from './0007-decided-adjustments.ts';
import { refundResolutions } from './0008-refund-resolutions.ts';
import { notifications } from './0009-notifications.ts';
import { disputeResolutions } from './0010-dispute-resolutions.ts';
import { unreadItemDismissals } from './0011-unread-item-dismissals.ts';
import { accountFreezes } from './0012-account-freezes.ts';
import { withdrawnProposals } from './0013-withdrawn-proposals.ts';
import { branding } from './0014-branding.ts';
import { auditOfReads } from './0015-audit-of-reads.ts';
import { auditFound } from './0016-audit-found.ts';
import { currencyTerms } from './0016-currency-terms.ts';
import { conversionSwitch } from './0017-conversion-switch.ts';
import { coverByHand } from './0018-cover-by-hand.ts';
import { ledgerIncarnations } from './0019-ledger-incarnations.ts';
import { exports } from './0020-exports.ts';
import { statementMappings } from './0021-statement-mappings.ts';
import { exceptionResolutions } from './0022-exception-resolutions.ts';
import { ownTransfers } from './0023-own-transfers.ts';
import { ownReferences } from './0024-own-references.ts';
import { payoutsWithinLimit } from './0025-payouts-within-limit.ts';
import { proposalsOfPeople } from './0026-proposals-of-people.ts';
import { payoutsByTwo } from './0028-payouts-by-two.ts';
import { teamApprovals } from './0029-team-approvals.ts';
import { peopleOfAccounts } from './0030-people-of-accounts.ts';
import { scopedKeys } from './0031-scoped-keys.ts';
import { statementDaysByTwo } from './0032-statement-days-by-two.ts';
import { peopleWhoOperate } from './0033-people-who-operate.ts';
import { evidenceFiles } from './0034-evidence-files.ts';
import { feedSkips } from './0035-feed-skips.ts';
import { requestLog } from './0036-request-log.ts';
import { bothPeopleOfAToken } from './0037-both-people-of-a-token.ts';
import { auditByAccount } from './0038-audit-by-account.ts';
import { widerIntegrations } from './0039-wider-integrations.ts';
import { camtVersions } from './0040-camt-versions.ts';
import { keyUsage } from './0041-key-usage.ts';
import { enteredDisputes } from './0042-entered-disputes.ts';
import { signedOff } from './0043-signed-off.ts';
import { backlogCounts } from './0044-backlog-counts.ts';
import { recoveredPeople } from './0045-recovered-people.ts';
import { notifiedRecoveries } from './0046-notified-recoveries.ts';

export const migrations: readonly SqlMigration[] = [
  accountsAndKeys,
  ipAllowlist,
  adjustments,
  auditByTarget,
  adjustmentApprovedAt,
  approvals,
  decidedAdjustments,
  refundResolutions,
  notifications,
  disputeResolutions,
  unreadItemDismissals,
  accountFreezes,
  withdrawnProposals,
  branding,
  auditOfReads,
  auditFound,
  currencyTerms,
  conversionSwitch,
  coverByHand,
  ledgerSeenTable,
  ledgerIncarnations,
  exports,
  statementMappings,
  exceptionResolutions,
  ownTransfers,
  ownReferences,
  payoutsWithinLimit,
  proposalsOfPeople,
  payoutsByTwo,
  teamApprovals,
  peopleOfAccounts,
  scopedKeys,
  statementDaysByTwo,
  peopleWhoOperate,
  evidenceFiles,
  feedSkips,
  requestLog,
  bothPeopleOfAToken,
  auditByAccount,
  widerIntegrations,
  camtVersions,
  keyUsage,
  enteredDisputes,
  signedOff,
  backlogCounts,
  recoveredPeople,
  notifiedRecoveries,
];
