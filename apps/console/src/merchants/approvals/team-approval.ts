import { client } from '#src/generated/client.gen.ts';
import type { Approval } from '#src/generated/types.gen.ts';
import type { Currency, PayoutKeyType, PayoutRecipient } from '#src/generated/merchants/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';
import { bodyOf } from '#src/records/refusal.ts';

/** One payout as it would be made. */
export interface ProposedPayout {
  readonly external_id: string;
  readonly currency: Currency;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly payout_key: string;
  readonly payout_key_type: PayoutKeyType;
  readonly recipient: PayoutRecipient;
}

/** A refund as it would be made. */
export interface ProposedRefund {
  readonly deposit_id: string;
  readonly external_id: string;
  readonly currency: Currency;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly reason: string | null;
}

/** A live key as it would be issued. */
export interface ProposedKey {
  readonly name: string;
  /** Null: the key is limited to nothing. */
  readonly scopes: readonly string[] | null;
  /** Empty: it may be used from anywhere. */
  readonly ip_allowlist: readonly string[];
}

/** What a person of the account would be, an owner among it. */
export interface ProposedOwner {
  readonly name: string;
  readonly roles: readonly string[];
}

/** What became of one payout or of the refund of a proposal that was approved. */
export interface TeamOutcome {
  readonly external_id: string;
  /** Null where none was made. */
  readonly id: string | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
}

export type TeamAction = 'approve' | 'refuse' | 'withdraw';

interface OfEveryKind extends Omit<Approval, 'kind' | 'request' | 'outcome'> {
  /** Sent back with the decision: what is approved is what was shown. */
  readonly request_digest: string;
  readonly totals: readonly { readonly currency: Currency; readonly amount: number; readonly count: number }[];
  /** References of payouts whose recipient was not paid before the last 30 days; of one proposal that is read alone. */
  readonly new_recipients?: readonly string[];
  /** What the person who asks may do with it. */
  readonly actions: readonly TeamAction[];
}

/** What a person of an account proposed to the others of it. */
export type TeamApproval =
  | (OfEveryKind & {
      readonly kind: 'team.payouts';
      readonly request: { readonly payouts: readonly ProposedPayout[] };
      readonly outcome: { readonly payouts: readonly TeamOutcome[] } | null;
    })
  | (OfEveryKind & {
      readonly kind: 'team.refund';
      readonly request: ProposedRefund;
      readonly outcome: { readonly refund: TeamOutcome } | null;
    })
  | (OfEveryKind & {
      readonly kind: 'team.key';
      readonly request: ProposedKey;
      readonly outcome: { readonly public_key: string } | null;
    })
  | (OfEveryKind & { readonly kind: 'team.owner'; readonly request: ProposedOwner; readonly outcome: object | null });

export type TeamApprovalState = TeamApproval['state'];

export interface TeamApprovalsQuery {
  readonly state?: TeamApprovalState | undefined;
  readonly cursor?: string;
}

interface TeamApprovalPage {
  readonly data: readonly TeamApproval[];
  readonly next_cursor: string | null;
}

interface TeamApprovalAnswer {
  readonly approval: TeamApproval;
}

/** What a proposal's state means for its reader. */
export const toneOf: Readonly<Record<TeamApprovalState, Tone>> = {
  PROPOSED: 'wait',
  APPLYING: 'wait',
  APPLIED: 'good',
  REFUSED: 'neutral',
  WITHDRAWN: 'neutral',
  REJECTED: 'bad',
  EXPIRED: 'neutral',
  FAILED: 'bad',
};

/** Whether it moves money; the others change who or what may. */
export function movesMoney({ kind }: Pick<TeamApproval, 'kind'>): boolean {
  return kind === 'team.payouts' || kind === 'team.refund';
}

/** What several proposals add up to, in each currency. */
export function sumOfTotals(approvals: readonly Pick<TeamApproval, 'totals'>[]): TeamApproval['totals'] {
  const byCurrency = Map.groupBy(
    approvals.flatMap(({ totals }) => totals),
    ({ currency }) => currency,
  );
  return [...byCurrency].map(([currency, totals]) => ({
    currency,
    amount: totals.reduce((sum, { amount }) => sum + amount, 0),
    count: totals.reduce((sum, { count }) => sum + count, 0),
  }));
}

/** Where the proposals of the account in this mode are kept. */
export const teamApprovalsKey = 'team-approvals';

/** @throws Refusal */
export async function listTeamApprovals(query: TeamApprovalsQuery, signal: AbortSignal): Promise<TeamApprovalPage> {
  return await bodyOf(client.get<TeamApprovalPage>({ url: '/approvals', query: { ...query }, signal }));
}

/** @throws Refusal */
export async function getTeamApproval(
  id: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<TeamApproval> {
  const asked = { url: '/approvals/{id}', path: { id }, headers, signal };
  return (await bodyOf(client.get<TeamApprovalAnswer>(asked))).approval;
}

/** @throws Refusal STEP_UP_REQUIRED when the person leaves the confirmation */
export async function decideTeamApproval(
  action: TeamAction,
  { id, request_digest }: Pick<TeamApproval, 'id' | 'request_digest'>,
  reason: string | null,
): Promise<TeamApproval> {
  const body = { ...(action === 'approve' ? { request_digest } : {}), ...(reason === null ? {} : { reason }) };
  const url = `/approvals/{id}/${action}`;
  return (await bodyOf(client.post<TeamApprovalAnswer>({ url, path: { id }, body }))).approval;
}

/** The proposal that an operation was answered with which takes another person; undefined where it was done at once. */
export function proposalIn(answer: object): TeamApproval | undefined {
  return (answer as Partial<TeamApprovalAnswer>).approval;
}
