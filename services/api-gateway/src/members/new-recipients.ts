import { listPayouts } from '@gateway/contracts/payouts';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Approval } from '#src/approvals/approval.ts';
import { payoutsIn } from '#src/proposals/team-request.ts';

/** Who was paid first within these days is new, as is who was never paid. */
const newForDays = 30;
const daySec = 86_400;
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
  const to = Math.floor(now.getTime() / 1_000) - newForDays * daySec;
  const ask = async (recipientDocument: string) => {
    const filter = { accountId, environment, recipientDocument, status: 'PAID', to, limit: 1 } as const;
    const { payouts: paid } = await callRpc(bus, listPayouts, filter);
    if (paid.length > 0) known.add(recipientDocument);
  };
  for (let at = 0; at < documents.length; at += askedAtOnce) {
    await Promise.all(documents.slice(at, at + askedAtOnce).map(ask));
  }
  return payouts.filter(({ recipient }) => !known.has(recipient.document)).map(({ external_id: id }) => id);
}
