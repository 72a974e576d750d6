import type { ItemOutcome } from '@gateway/provider-feeds';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { chargeInputOf } from '#src/deposit/to-deposit.ts';
import { ProviderUnavailableError } from '#src/errors.ts';
import { applyReceipt, type ChargeKey } from '#src/payment/apply-receipt.ts';
import { PaymentEntity } from '#src/payment/payment-entity.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { routeOf } from '#src/routing/charge-routes.ts';

const lookUpTimeoutMs = 4_000;

interface Claimed {
  /** The payment that was reported; left out, any payment is looked for, and none is expected. */
  readonly e2eId?: string;
  readonly ledgerTimeoutMs: number;
}

/**
 * Asks a charge's provider for its payments, and takes each. A reference is on record before its provider hears of it, so
 * one that is not known here belongs to another receiver.
 *
 * @throws ProviderUnavailableError when the provider does not answer
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer
 */
export async function lookUpCharge(
  dependencies: ProviderFeedDependencies,
  charge: ChargeKey,
  { e2eId, ledgerTimeoutMs }: Claimed,
): Promise<ItemOutcome> {
  const { environment, provider, reference } = charge;
  const em = dependencies.database.reader();
  const deposit = await em.findOne(DepositEntity, { environment, provider, reference });
  if (!deposit) return { kind: 'unknown', cause: 'no charge of ours has this reference' };
  const { accountId, id: depositId } = deposit;
  const known = e2eId === undefined ? null : await em.findOne(PaymentEntity, { environment, provider, e2eId });
  if (known?.state === 'CREDITED' && known.accountId === accountId && known.depositId === depositId) {
    return { kind: 'taken' };
  }
  const route = routeOf(dependencies.chargeRoutes, environment, provider);
  const { providerRef } = deposit;
  const lookup = { ref: reference, charge: chargeInputOf(deposit), ...(providerRef ? { providerRef } : {}) };
  const state = await route?.provider.getCharge(lookup, { signal: AbortSignal.timeout(lookUpTimeoutMs) });
  if (!state || state.status === 'UNAVAILABLE') throw new ProviderUnavailableError(state?.cause);
  const receipts = state.status === 'PAID' ? state.receipts : [];
  for (const receipt of receipts) await applyReceipt(dependencies, charge, receipt, ledgerTimeoutMs);
  if (e2eId === undefined || receipts.some((receipt) => receipt.e2eId === e2eId)) return { kind: 'taken' };
  return { kind: 'unconfirmed', cause: `the provider answers ${state.status} without this payment` };
}
