import type { FailedCalls } from '@gateway/contracts/payouts';
import { providerText } from '@gateway/provider-feeds';
import type { PayoutRow } from '#src/payout/payout-entity.ts';

/** A call of the payout's provider that it did not take, or may not have taken. */
interface FailedCall {
  readonly outcome: FailedCalls['outcome'];
  /** Of a refusal. */
  readonly reason?: string;
  readonly message: string;
}

/**
 * The payout's failed calls with one more, for operators. Calls that came to the same at the same provider are one, with their
 * number: however long a payout waits, its record grows no further than there are providers and reasons.
 */
export function withFailedCall(
  { provider, failedCalls }: Pick<PayoutRow, 'provider' | 'failedCalls'>,
  { outcome, reason: code, message }: FailedCall,
  at: Date,
): Pick<PayoutRow, 'failedCalls'> {
  const lastAt = at.toISOString();
  const reason = code ?? null;
  const isAlike = (call: FailedCalls) =>
    call.provider === provider && call.outcome === outcome && call.reason === reason;
  const before = failedCalls.find(isAlike);
  const call = {
    provider,
    outcome,
    reason,
    message: providerText(message),
    times: (before?.times ?? 0) + 1,
    firstAt: before?.firstAt ?? lastAt,
    lastAt,
  };
  return { failedCalls: [...failedCalls.filter((each) => !isAlike(each)), call] };
}
