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

/** What deciding each kind takes, where that is not what moves money; the server asks for the same. */
const decidingBy: Partial<Readonly<Record<Approval['kind'], string>>> = {
  ...({ 'account.first-owner': 'accounts:decide', 'account.recover-person': 'accounts:decide' } as const),
  'account.unfreeze': 'accounts:decide',
  ...({ 'account.update': 'accounts:decide', 'integration.set': 'accounts:decide' } as const),
  ...({ 'key.allowlist': 'accounts:decide', 'key.issue': 'accounts:decide' } as const),
  'live-conversions.switch-on': 'accounts:decide',
  ...({ 'person.invite': 'people:write', 'person.recover': 'people:write' } as const),
  ...({ 'person.reinstate': 'people:write', 'person.roles': 'people:write' } as const),
  'service-token.create': 'people:write',
};

/** Who looks at proposals. */
interface Decider {
  readonly person: { readonly id: string; readonly name: string };
  readonly permissions: Readonly<Record<string, string>>;
}

/** Its proposer withdraws a proposal; another operator, who answers for no part of it and may decide its kind, decides it. */
export function actionsOf(
  { kind, state, proposed_by: proposer, responsible }: Pick<Approval, 'kind' | 'state' | 'proposed_by' | 'responsible'>,
  { person, permissions }: Decider,
): ApprovalAction[] {
  if (state !== 'PROPOSED') return [];
  if (proposer === person.name) return ['withdraw'];
  if (responsible.includes(person.id)) return [];
  return Object.hasOwn(permissions, decidingBy[kind] ?? 'money:decide') ? ['approve', 'refuse'] : [];
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
  approval: Pick<Approval, 'kind' | 'state' | 'proposed_by' | 'responsible'>,
  decider: Decider,
): boolean {
  return decidedTogether.has(approval.kind) && actionsOf(approval, decider).includes('approve');
}

const handedOnKinds = ['invitation_url', 'claim_url', 'token'] as const;

/** What the approver alone is shown, to hand it on. */
export function handedOn({ outcome }: Pick<Approval, 'outcome'>) {
  return handedOnKinds.flatMap((kind) => {
    const secret = outcome?.[kind];
    return typeof secret === 'string' ? [{ kind, secret }] : [];
  });
}

const withPage = /^(?:dep|pyt|rfd|med|cnv)_/;

/** Whether what a proposal is about is a record that has a page, at which its approver looks for themselves. */
export function isOfRecord({ target }: Pick<Approval, 'target'>): boolean {
  return withPage.test(target);
}

const daySec = 86_400;

/** From when on it can be approved, in Unix seconds, where others have a day to object; the server knows of it too. */
export function approvableFrom({ kind, state, created_at: at }: Approval): number | undefined {
  return kind === 'account.recover-person' && state === 'PROPOSED' ? at + daySec : undefined;
}
