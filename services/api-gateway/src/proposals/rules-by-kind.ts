import type { LedgerCommandClient, Bus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import { allowlistRules } from '#src/accounts/assign-allowlist.ts';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { accountUpdateRules } from '#src/accounts/change-account.ts';
import { unfreezeRules } from '#src/accounts/freeze-account.ts';
import { liveKeyRules } from '#src/accounts/issue-key.ts';
import type { RulesByKind } from '#src/approvals/approval.ts';
import { adjustmentRules } from '#src/proposals/apply-adjustment.ts';
import {
  operatorInvitationRules,
  operatorRecoveryRules,
  operatorRolesRules,
  reinstatementRules,
  serviceTokenRules,
} from '#src/proposals/change-people.ts';
import { providerChangeRules } from '#src/proposals/change-provider.ts';
import { closingRules } from '#src/proposals/close-statement-day.ts';
import { coveringRules } from '#src/proposals/cover-by-hand.ts';
import { ownTransferRules } from '#src/proposals/declare-own-transfer.ts';
import { discardingRules } from '#src/proposals/discard-dead-letter.ts';
import { dismissalRules } from '#src/proposals/dismiss-unread-item.ts';
import { disputeEntryRules } from '#src/proposals/enter-dispute.ts';
import { firstOwnerRules } from '#src/proposals/invite-first-owner.ts';
import { teamKeyRules } from '#src/proposals/issue-team-key.ts';
import { ownerRules } from '#src/proposals/make-owner.ts';
import { incarnationRules } from '#src/proposals/open-incarnation.ts';
import { memberRecoveryRules } from '#src/proposals/recover-member.ts';
import { disputeResolutionRules } from '#src/proposals/resolve-dispute.ts';
import { exceptionRules } from '#src/proposals/resolve-exception.ts';
import { payoutApprovalRules } from '#src/proposals/approve-payout.ts';
import { payoutResolutionRules } from '#src/proposals/resolve-payout.ts';
import { mappingApprovalRules } from '#src/proposals/approve-statement-mapping.ts';
import { refundResolutionRules } from '#src/proposals/resolve-refund.ts';
import { integrationRules } from '#src/proposals/restrict-integration.ts';
import { keyRotationRules } from '#src/proposals/rotate-checkpoint-key.ts';
import { teamPayoutRules } from '#src/proposals/send-team-payouts.ts';
import { teamRefundRules } from '#src/proposals/send-team-refund.ts';
import { signOffRules } from '#src/proposals/sign-off-reconciliation.ts';
import { skippingRules } from '#src/proposals/skip-feed.ts';
import { switchingOnRules } from '#src/proposals/switch-conversions.ts';

export interface RulesOptions {
  readonly bus: Bus;
  readonly database: Database;
  readonly ledgerClient: LedgerCommandClient;
  readonly logger: Logger;
  readonly directory: CallerDirectory;
  /** Whether the approver of a live key is shown its secret: on loopback alone. */
  readonly showsSecret: boolean;
  /** The merchants' console. */
  readonly consoleUrl: string;
  readonly operatorConsoleUrl: string;
}

/** Everything that takes two people, and how it is carried out. */
export function rulesByKind(options: RulesOptions): RulesByKind {
  const { bus, database, ledgerClient, logger, directory, showsSecret, consoleUrl } = options;
  const people = { bus, database, consoleUrl: options.operatorConsoleUrl };
  return {
    'account.first-owner': firstOwnerRules({ bus, database, consoleUrl }),
    'account.recover-person': memberRecoveryRules({ bus, database, consoleUrl }),
    'account.unfreeze': unfreezeRules(directory),
    'account.update': accountUpdateRules(directory),
    'adjustment.apply': adjustmentRules(ledgerClient),
    'checkpoint-key.rotate': keyRotationRules(bus),
    'dead-letter.discard': discardingRules(bus),
    'dispute.enter': disputeEntryRules(bus),
    'dispute.resolve': disputeResolutionRules(bus),
    'exception.resolve': exceptionRules({ bus, ledgerClient, logger }),
    'feed.skip': skippingRules(bus),
    'integration.set': integrationRules(bus),
    'key.allowlist': allowlistRules(directory),
    'key.issue': liveKeyRules({ consoleUrl, showsSecret }),
    'ledger.open-incarnation': incarnationRules(bus),
    'live-conversions.cover': coveringRules(bus),
    'live-conversions.switch-on': switchingOnRules(bus),
    'own-transfer.declare': ownTransferRules({ bus, ledgerClient }),
    'payout.approve': payoutApprovalRules(bus, database),
    'payout.resolve': payoutResolutionRules(bus),
    'person.invite': operatorInvitationRules(people),
    'person.recover': operatorRecoveryRules(people),
    'person.reinstate': reinstatementRules(people),
    'person.roles': operatorRolesRules(people),
    'provider.update': providerChangeRules(bus),
    'reconciliation.sign-off': signOffRules(bus),
    'refund.resolve': refundResolutionRules(bus),
    'statement-day.close': closingRules(bus),
    'service-token.create': serviceTokenRules(people),
    'statement-mapping.approve': mappingApprovalRules(bus),
    'team.key': teamKeyRules(bus),
    'team.owner': ownerRules(bus),
    'team.payouts': teamPayoutRules({ bus, database }),
    'team.refund': teamRefundRules({ bus, database }),
    'unread-item.dismiss': dismissalRules(bus),
  };
}
