import type { Draft } from '#src/posting/draft.ts';
import { available, blocked, providerAccount, system, type Owner, type Posting } from '#src/posting/posting.ts';
import type { DisputeReference } from '#src/posting/reference.ts';

export interface Capture {
  readonly postings: readonly Posting[];
  readonly references: readonly DisputeReference[];
}

/**
 * Money that has just arrived in `available` first covers what disputes still lack, oldest dispute first (api.md 2).
 * For an open dispute it is blocked; for a lost one it goes on to the payer. A shortfall past its time lapses.
 */
export function captureShortfalls(draft: Draft, owner: Owner, atSec: number): Capture {
  const postings: Posting[] = [];
  const references: DisputeReference[] = [];
  let left = draft.bucketsOf(owner.accountId, owner.currency).available;
  for (const dispute of draft.shortfalls(owner.accountId, owner.currency)) {
    if (atSec >= dispute.captureUntil) {
      references.push({ ...dispute, shortfall: 0 });
      continue;
    }
    const captured = Math.min(left, dispute.shortfall);
    if (captured === 0) continue;
    left -= captured;
    postings.push(available(owner, -captured, { type: 'MED_BLOCK', refType: 'dispute', refId: dispute.id }));
    postings.push(destination(dispute, captured));
    references.push(afterCapture(dispute, captured));
  }
  return { postings, references };
}

function destination(dispute: DisputeReference, captured: number): Posting {
  if (dispute.provider === null) return blocked(dispute, captured);
  return system(providerAccount(dispute.provider), dispute.currency, captured);
}

function afterCapture(dispute: DisputeReference, captured: number): DisputeReference {
  const shortfall = dispute.shortfall - captured;
  if (dispute.provider === null) return { ...dispute, shortfall, blocked: dispute.blocked + captured };
  return { ...dispute, shortfall, returned: dispute.returned + captured };
}
