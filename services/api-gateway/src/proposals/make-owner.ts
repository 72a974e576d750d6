import { DomainError } from '@gateway/contracts/errors';
import { changeRoles, listPeople, type Membership, merchantGrant } from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { requireUnchanged } from '#src/approvals/propose-approval.ts';
import { membershipOf, ownerOf } from '#src/proposals/team-conditions.ts';

const realm = 'merchant';

/** What `team.owner` proposes. */
export interface OwnerRequest {
  readonly person_id: string;
  readonly name: string;
  readonly roles: Membership['roles'];
  readonly environments: Membership['environments'];
}

/** Makes a person an owner, which two of the account's people agreed on; doing it twice is doing it once. */
export function ownerRules(bus: Askable): ApprovalRules {
  const apply = async (approval: Approval) => {
    const { accountId } = ownerOf(approval);
    const { person_id: personId, roles, environments } = approval.request as unknown as OwnerRequest;
    const { people } = await callRpc(bus, listPeople, { realm, accountId });
    const proposer = membershipOf(people, { accountId, personId: approval.proposedByPerson });
    if (!proposer || merchantGrant(proposer.roles, 'team:write') !== 'full') {
      throw new DomainError('PERMISSION_DENIED', 'who proposed it may change the team no longer');
    }
    const now = membershipOf(people, { accountId, personId });
    if (!now) throw new DomainError('INVALID_STATE', 'the person has no part in the account any more');
    const isDone = now.roles.join() === roles.join() && now.environments.join() === environments.join();
    if (!isDone) {
      requireUnchanged({ roles: now.roles, environments: now.environments }, approval.before);
      const rights = { accountId, membership: { roles, environments } };
      await callRpc(bus, changeRoles, { realm, personId, by: approval.proposedByPerson ?? '', rights });
    }
    return async () => ({ outcome: { person_id: personId, roles, environments } });
  };
  return { apply };
}
