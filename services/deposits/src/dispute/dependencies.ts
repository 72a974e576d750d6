import type { getDisputeHolding } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Links } from '#src/deposit/links.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';

/** What the ledger holds for a dispute now; throws SERVICE_UNAVAILABLE when it does not answer. */
export type AskHolding = (dispute: RequestOf<typeof getDisputeHolding>) => Promise<ReplyOf<typeof getDisputeHolding>>;

export interface DisputeDependencies extends PaymentDependencies, Pick<Links, 'evidenceUrlOf'> {
  readonly askHolding: AskHolding;
}
