import type { Approval } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

export type ApprovalAction = 'approve' | 'refuse' | 'withdraw';

/** What an approval's state means for its reader: what was not carried out without a fault is never red. */
export const toneOf: Readonly<Record<Approval['state'], Tone>> = {
  PROPOSED: 'wait',
  APPLYING: 'wait',
  APPLIED: 'good',
  REFUSED: 'neutral',
  WITHDRAWN: 'neutral',
  REJECTED: 'neutral',
  EXPIRED: 'neutral',
  FAILED: 'bad',
};

/** One of them decides each kind; the server knows which. */
const deciding = ['money:decide', 'accounts:decide'];

/** Its proposer withdraws a proposal; another operator, whose roles decide, approves or refuses it. */
export function actionsOf(
  { state, proposed_by }: Pick<Approval, 'state' | 'proposed_by'>,
  me: string,
  permissions: Readonly<Record<string, string>>,
): ApprovalAction[] {
  if (state !== 'PROPOSED') return [];
  if (proposed_by === me) return ['withdraw'];
  return deciding.some((permission) => Object.hasOwn(permissions, permission)) ? ['approve', 'refuse'] : [];
}

/** Kinds that come in numbers. None of them hands anything on: what its approver alone is shown is shown on its page. */
const decidedTogether: ReadonlySet<Approval['kind']> = new Set([
  ...([
    'adjustment.apply',
    'dead-letter.discard',
    'dispute.resolve',
    'exception.resolve',
    'own-transfer.declare',
  ] as const),
  ...(['payout.approve', 'payout.resolve', 'refund.resolve', 'statement-day.close', 'unread-item.dismiss'] as const),
]);

/** Whether it can be approved or refused together with others. */
export function isDecidedTogether(
  approval: Pick<Approval, 'kind' | 'state' | 'proposed_by'>,
  me: string,
  permissions: Readonly<Record<string, string>>,
): boolean {
  return decidedTogether.has(approval.kind) && actionsOf(approval, me, permissions).includes('approve');
}

const handedOnKinds = ['invitation_url', 'claim_url', 'token'] as const;

/** What the approver alone is shown, to hand it on. */
export function handedOn({ outcome }: Pick<Approval, 'outcome'>) {
  return handedOnKinds.flatMap((kind) => {
    const secret = outcome?.[kind];
    return typeof secret === 'string' ? [{ kind, secret }] : [];
  });
}
