import { repayment } from '#src/posting/debt.ts';
import type { Overlay } from '#src/state/overlay.ts';
import { available, blocked, providerAccount, system, type Owner, type Posting } from '#src/posting/posting.ts';
import type { DisputeReference, ShortReference } from '#src/posting/reference.ts';

export interface Capture {
  readonly postings: readonly Posting[];
  readonly references: readonly ShortReference[];
}

/**
 * A credit to `available` first pays the shortfalls of redebited payouts and refunds, then those of disputes, each
 * oldest first (api.md 2). For an open dispute the money is blocked; for a lost one it goes to the payer through the
 * provider. Time is not looked at here: a shortfall ends by a command of its own (`lapse-dispute`).
 */
export function captureShortfalls(overlay: Overlay, owner: Owner): Capture {
  const postings: Posting[] = [];
  const references: ShortReference[] = [];
  let left = overlay.bucketsOf(owner.accountId, owner.currency).available;
  for (const short of overlay.shortfalls(owner.accountId, owner.currency)) {
    const part = Math.min(left, short.shortfall);
    if (part === 0) break;
    left -= part;
    if (short.kind === 'dispute') {
      postings.push(...hold(short, part));
      references.push(afterHold(short, part));
    } else {
      postings.push(...repayment(short, part));
      references.push({ ...short, shortfall: short.shortfall - part });
    }
  }
  return { postings, references };
}

function hold(dispute: DisputeReference, part: number): Posting[] {
  const { currency, provider } = dispute;
  const taken = available(dispute, -part, { type: 'MED_BLOCK', refType: 'dispute', refId: dispute.id });
  return [taken, provider === null ? blocked(dispute, part) : system(providerAccount(provider), currency, part)];
}

function afterHold(dispute: DisputeReference, part: number): DisputeReference {
  const shortfall = dispute.shortfall - part;
  if (dispute.provider === null) return { ...dispute, shortfall, blocked: dispute.blocked + part };
  return { ...dispute, shortfall, returned: dispute.returned + part };
}
