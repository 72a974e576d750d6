import { type cancelDeposit as contract, DepositCanceled } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { findDeposit, lockDeposit, moveDeposit } from '#src/deposit/deposit-record.ts';
import { nextState } from '#src/deposit/life-cycle.ts';
import { chargeInputOf } from '#src/deposit/to-deposit.ts';
import { InvalidStateError, ProviderUnavailableError } from '#src/errors.ts';
import { applyReceipt } from '#src/payment/apply-receipt.ts';
import { sendBackTransfers } from '#src/payment/gather-transfers.ts';
import { PaymentEntity } from '#src/payment/payment-entity.ts';
import { type ChargeRoute, routeOf } from '#src/routing/charge-routes.ts';

const cancelTimeoutMs = 4_000;
const ledgerTimeoutMs = 3_000;

/**
 * Takes back a charge that is not paid. The provider is asked first, so that a FAILED deposit has a charge that takes no
 * money; what arrives all the same is an orphan receipt.
 *
 * @throws DomainError INVALID_STATE when the deposit is not PENDING, or was paid in the meantime
 * @throws ProviderUnavailableError when the provider's answer is not certain; then nothing has changed here
 */
export async function cancelDeposit(
  dependencies: ChargeDependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { database, chargeRoutes, now } = dependencies;
  const deposit = await findDeposit(database, request);
  nextState(deposit.state, 'canceled');
  const route = routeOf(chargeRoutes, deposit.environment, deposit.provider);
  if (!route) throw new ProviderUnavailableError();
  if (route.provider.capabilities.cancelCharge) await cancelCharge(dependencies, route, deposit);
  return await database.transaction(async (tx) => {
    const locked = await lockDeposit(tx, request);
    const { environment, accountId, id: depositId } = locked;
    // Its money is on the way to the balance: the deposit is as good as paid.
    if (await tx.em.findOne(PaymentEntity, { environment, accountId, depositId })) throw new InvalidStateError('PAID');
    const canceled = await moveDeposit(tx, locked, 'canceled', DepositCanceled, now());
    if (locked.received > 0) await sendBackTransfers(tx, locked, 'canceled', now());
    return { deposit: canceled };
  });
}

async function cancelCharge(dependencies: ChargeDependencies, route: ChargeRoute, deposit: DepositRow): Promise<void> {
  const { reference: ref, providerRef } = deposit;
  const lookup = { ref, charge: chargeInputOf(deposit), ...(providerRef ? { providerRef } : {}) };
  const signal = AbortSignal.timeout(cancelTimeoutMs);
  const outcome = await route.provider.cancelCharge(lookup, { signal });
  if (outcome.kind === 'accepted') return;
  if (outcome.kind !== 'not_cancelable') throw new ProviderUnavailableError(outcome.cause);
  const state = await route.provider.getCharge(lookup, { signal });
  // A PENDING deposit's charge was opened: one that is not there any more was taken away, and that answer was lost.
  if (state.status === 'CANCELED' || state.status === 'EXPIRED' || state.status === 'NOT_FOUND') return;
  if (state.status !== 'PAID') throw new ProviderUnavailableError(outcome.message);
  const { environment, provider, reference } = deposit;
  for (const receipt of state.receipts) {
    await applyReceipt(dependencies, { environment, provider, reference }, receipt, ledgerTimeoutMs);
  }
  throw new InvalidStateError('PAID');
}
