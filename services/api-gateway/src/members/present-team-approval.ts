import { type Approval, presentApproval } from '#src/approvals/approval.ts';
import type { Member } from '#src/members/authenticate-member.ts';
import { payoutsIn, refundIn, type RefundRequest } from '#src/proposals/team-request.ts';

type Action = 'approve' | 'refuse' | 'withdraw';

/** A proposal as the people of its account see it: what exactly it would do, what it adds up to, and what they may do with it. */
export function presentTeamApproval(approval: Approval, member: Member): object {
  return {
    ...presentApproval(approval),
    /** The approver sends it back: what is approved is what was shown. */
    request_digest: approval.requestDigest,
    totals: totalsOf(approval),
    actions: actionsOf(approval, member),
  };
}

type Part = Pick<RefundRequest, 'currency' | 'amount'>;

function totalsOf(approval: Approval): readonly object[] {
  if (approval.kind === 'team.key' || approval.kind === 'team.owner') return [];
  const parts: readonly Part[] = approval.kind === 'team.payouts' ? payoutsIn(approval) : [refundIn(approval)];
  const byCurrency = Map.groupBy(parts, ({ currency }) => currency);
  return [...byCurrency].map(([currency, those]) => {
    const amount = those.reduce((sum, part) => sum + part.amount, 0);
    return { currency, amount, count: those.length };
  });
}

function actionsOf({ state, expiresAt, proposedByPerson }: Approval, { person, may }: Member): readonly Action[] {
  if (state !== 'PROPOSED' || expiresAt <= new Date()) return [];
  if (proposedByPerson === person.id) return ['withdraw'];
  return may('money:decide') ? ['approve', 'refuse'] : [];
}
