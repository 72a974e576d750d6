import type { RequestOf } from '@gateway/contracts/messages';
import type { createPayout, Payout } from '@gateway/contracts/payouts';
import type { Account } from '@gateway/contracts/accounts';
import type { Approval } from '#src/approvals/approval.ts';

type PayoutRequest = RequestOf<typeof createPayout>;

/** One payout of a proposal, as it is shown and then made; its `external_id` is fixed with it. */
export interface ProposedPayout {
  readonly external_id: string;
  readonly currency: PayoutRequest['currency'];
  readonly payment_method: PayoutRequest['paymentMethod'];
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly payout_key: string;
  readonly payout_key_type: PayoutRequest['keyType'];
  readonly recipient: PayoutRequest['recipient'];
  readonly kind: PayoutRequest['kind'];
  readonly enforce_ownership: boolean;
  readonly metadata: PayoutRequest['metadata'];
}

/** What `team.payouts` proposes. */
export interface PayoutsRequest {
  readonly payouts: readonly ProposedPayout[];
}

/** What `team.refund` proposes. */
export interface RefundRequest {
  readonly deposit_id: string;
  readonly external_id: string;
  readonly currency: PayoutRequest['currency'];
  /** In the smallest unit of the currency; fixed with the proposal, also where all that is left was asked for. */
  readonly amount: number;
  /** For the payer. */
  readonly reason: string | null;
}

/** What became of one payout, or of the refund, of an approved proposal. */
export interface TeamOutcome {
  readonly external_id: string;
  /** Null where none was made. */
  readonly id: string | null;
  readonly status: string | null;
  /** Why none was made. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

export function proposedPayoutOf(request: PayoutRequest): ProposedPayout {
  return {
    external_id: request.externalId,
    currency: request.currency,
    payment_method: request.paymentMethod,
    amount: request.amount,
    payout_key: request.key,
    payout_key_type: request.keyType,
    recipient: request.recipient,
    kind: request.kind,
    enforce_ownership: request.enforceOwnership,
    metadata: request.metadata,
  };
}

/** @param account as it is when the payout is made: its fees and limits of that time apply */
export function payoutRequestOf(
  proposed: ProposedPayout,
  { environment, account }: { readonly environment: PayoutRequest['environment']; readonly account: Account },
): PayoutRequest {
  return {
    environment,
    account,
    apiVersion: '1.0',
    externalId: proposed.external_id,
    currency: proposed.currency,
    paymentMethod: proposed.payment_method,
    amount: proposed.amount,
    key: proposed.payout_key,
    keyType: proposed.payout_key_type,
    recipient: proposed.recipient,
    kind: proposed.kind,
    enforceOwnership: proposed.enforce_ownership,
    metadata: proposed.metadata,
  };
}

/** Whether a payout is the one that was proposed: a key of the account may have used its `external_id` for another. */
export function isProposed(proposed: ProposedPayout, made: Payout): boolean {
  return (
    made.amount === proposed.amount &&
    made.currency === proposed.currency &&
    made.key === proposed.payout_key &&
    made.recipient.document === proposed.recipient.document
  );
}

export function payoutsIn({ request }: Approval): readonly ProposedPayout[] {
  return (request as unknown as PayoutsRequest).payouts;
}

export function refundIn({ request }: Approval): RefundRequest {
  return request as unknown as RefundRequest;
}
