import type { Askable } from '@gateway/messaging';
import type { Approval } from '#src/approvals/approval.ts';
import { wasPaidBefore } from '#src/proposals/paid-before.ts';
import { payoutsIn } from '#src/proposals/team-request.ts';

/** Questions at once: a proposal has up to 200 recipients. */
const askedAtOnce = 8;

/**
 * Which payouts of a proposal, by their reference, go to a recipient whom the account has not paid before the last 30 days:
 * the approver looks at those first. None of a proposal that is decided.
 */
export async function newRecipientsIn(bus: Askable, approval: Approval, now: Date): Promise<readonly string[]> {
  if (approval.kind !== 'team.payouts' || approval.state !== 'PROPOSED') return [];
  const { accountId, environment } = approval;
  if (!accountId || !environment) return [];
  const payouts = payoutsIn(approval);
  const documents = [...new Set(payouts.map(({ recipient }) => recipient.document))];
  const known = new Set<string>();
  const ask = async (recipientDocument: string) => {
    if (await wasPaidBefore(bus, { accountId, environment, recipientDocument }, now)) known.add(recipientDocument);
  };
  for (let at = 0; at < documents.length; at += askedAtOnce) {
    await Promise.all(documents.slice(at, at + askedAtOnce).map(ask));
  }
  return payouts.filter(({ recipient }) => !known.has(recipient.document)).map(({ external_id: id }) => id);
}
