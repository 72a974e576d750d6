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

const handedOnKinds = ['invitation_url', 'claim_url', 'token'] as const;

/** What the approver alone is shown, to hand it on. */
export function handedOn({ outcome }: Pick<Approval, 'outcome'>) {
  return handedOnKinds.flatMap((kind) => {
    const secret = outcome?.[kind];
    return typeof secret === 'string' ? [{ kind, secret }] : [];
  });
}
