import { DomainError } from '@gateway/contracts/errors';
import { listPeople, merchantGrant } from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import { issueUnclaimed, type KeyTerms } from '#src/accounts/issue-key.ts';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { membershipOf, ownerOf } from '#src/proposals/team-conditions.ts';

/**
 * Issues a live key that two of the account's people agreed on. It opens nothing until one of them who may have keys fetches
 * its secret by a session: what decided it never had it.
 */
export function teamKeyRules(bus: Askable): ApprovalRules {
  const apply = async (approval: Approval) => {
    const owner = ownerOf(approval);
    const { people } = await callRpc(bus, listPeople, { realm: 'merchant', accountId: owner.accountId });
    const membership = membershipOf(people, { accountId: owner.accountId, personId: approval.proposedByPerson });
    const mayPropose = membership?.environments.includes(owner.environment);
    if (!mayPropose || merchantGrant(membership?.roles ?? [], 'keys:write') === null) {
      throw new DomainError('PERMISSION_DENIED', 'who proposed it may have keys of the account no longer');
    }
    return issueUnclaimed({ ...owner, terms: approval.request as unknown as KeyTerms });
  };
  return { apply };
}
