import { repayment } from '#src/posting/debt.ts';
import type { Draft } from '#src/posting/draft.ts';
import { available, blocked, providerAccount, system, type Owner, type Posting } from '#src/posting/posting.ts';
import type { DisputeReference, ShortReference } from '#src/posting/reference.ts';

export interface Capture {
  readonly postings: readonly Posting[];
  readonly references: readonly ShortReference[];
}

/**
 * Money that has just arrived in `available` first pays what the account owes for payouts and refunds that had left all
 * the same, then covers what disputes still lack, each oldest first (api.md 2). For an open dispute it is blocked; for a
 * lost one it goes on to the payer. Time plays no part: a shortfall ends by a command of its own (`lapse-dispute`).
 */
export function captureShortfalls(draft: Draft, owner: Owner): Capture {
  const postings: Posting[] = [];
  const references: ShortReference[] = [];
  let left = draft.bucketsOf(owner.accountId, owner.currency).available;
  for (const short of draft.shortfalls(owner.accountId, owner.currency)) {
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
