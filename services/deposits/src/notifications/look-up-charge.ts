import { chargeInputOf } from '#src/charging/draft-deposit.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { ProviderUnavailableError } from '#src/errors.ts';
import { takeReceipt, type ChargeKey } from '#src/payment/take-receipt.ts';
import { routeOf } from '#src/providers/charge-routes.ts';

const lookUpTimeoutMs = 4_000;

/**
 * Asks a charge's provider for its payments, and takes each.
 *
 * @throws ProviderUnavailableError when the provider does not answer
 */
export async function lookUpCharge(
  dependencies: Dependencies,
  charge: ChargeKey,
  ledgerTimeoutMs: number,
): Promise<void> {
  const { environment, provider, reference } = charge;
  const where = { environment, provider, reference, $and: [{ provider: { $ne: 'sandbox' } }] };
  const deposit = await dependencies.database.reader().findOne(DepositEntity, where);
  if (!deposit) return;
  const route = routeOf(dependencies.chargeRoutes, environment, provider);
  const { providerRef } = deposit;
  const lookup = { ref: reference, charge: chargeInputOf(deposit), ...(providerRef ? { providerRef } : {}) };
  const state = await route?.provider.getCharge(lookup, { signal: AbortSignal.timeout(lookUpTimeoutMs) });
  if (!state || state.status === 'UNAVAILABLE') throw new ProviderUnavailableError(state?.cause);
  if (state.status !== 'PAID') return;
  for (const receipt of state.receipts) await takeReceipt(dependencies, charge, receipt, ledgerTimeoutMs);
}
