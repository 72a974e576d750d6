import type { Asker, Bus } from '@gateway/messaging';
import { accountUpdateRules } from '#src/accounts/update-account.ts';
import { adjustmentRules } from '#src/adjustments/apply-adjustment.ts';
import type { RulesByKind } from '#src/approvals/approval-rules.ts';
import type { CallerDirectory } from '#src/keys/caller-directory.ts';
import type { ClaimLinks } from '#src/keys/claim-links.ts';
import { disputeResolutionRules } from '#src/operator/payments/resolve-dispute.ts';
import { liveKeyRules } from '#src/keys/issue-key.ts';
import { payoutResolutionRules } from '#src/operator/payments/resolve-payout.ts';
import { providerChangeRules } from '#src/operator/providers/change-provider.ts';
import { refundResolutionRules } from '#src/operator/payments/resolve-refund.ts';

export interface RulesOptions {
  readonly bus: Bus;
  readonly asker: Asker;
  readonly directory: CallerDirectory;
  readonly links: ClaimLinks;
  /** Whether the approver of a live key is shown its secret: on loopback alone. */
  readonly showsSecret: boolean;
}

/** Everything that takes two operators, and how it is carried out. */
export function rulesByKind({ bus, asker, directory, links, showsSecret }: RulesOptions): RulesByKind {
  return {
    'account.update': accountUpdateRules(directory),
    'adjustment.apply': adjustmentRules(asker),
    'dispute.resolve': disputeResolutionRules(bus),
    'key.issue': liveKeyRules({ links, showsSecret }),
    'payout.resolve': payoutResolutionRules(bus),
    'provider.update': providerChangeRules(bus),
    'refund.resolve': refundResolutionRules(bus),
  };
}
