import type { ItemOutcome } from '@gateway/provider-feeds';
import type { ReceiptName } from '@gateway/providers';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import type { ChargeKey } from '#src/deposit/deposit-record.ts';
import { recordedName } from '#src/deposit/receipt-name.ts';
import { chargeInputOf } from '#src/deposit/to-deposit.ts';
import { ProviderUnavailableError } from '#src/errors.ts';
import { applyReceipt } from '#src/payment/apply-receipt.ts';
import { PaymentEntity } from '#src/payment/payment-entity.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { takeEach } from '#src/provider-feed/take-each.ts';
import { routeOf } from '#src/routing/charge-routes.ts';

const lookUpTimeoutMs = 4_000;

interface Claimed {
  /** The payment that was reported; left out, any payment is looked for, and none is expected. */
  readonly claimed?: ReceiptName;
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
  { claimed, ledgerTimeoutMs }: Claimed,
): Promise<ItemOutcome> {
  const { environment, provider, reference } = charge;
  const deposit = await dependencies.depositReader.findByCharge(charge);
  if (!deposit) return { kind: 'unknown', cause: 'no charge of ours has this reference' };
  if (claimed && (await isCredited(dependencies, deposit, claimed))) return { kind: 'taken' };
  const route = routeOf(dependencies.chargeRoutes, environment, provider);
  const { providerRef } = deposit;
  const lookup = { ref: reference, charge: chargeInputOf(deposit), ...(providerRef ? { providerRef } : {}) };
  const state = await route?.provider.getCharge(lookup, { signal: AbortSignal.timeout(lookUpTimeoutMs) });
  if (!state || state.status === 'UNAVAILABLE') throw new ProviderUnavailableError(state?.cause);
  const receipts = state.status === 'PAID' ? state.receipts : [];
  await takeEach(receipts, async (receipt) => await applyReceipt(dependencies, charge, receipt, ledgerTimeoutMs));
  if (!claimed || receipts.some((receipt) => isSame(receipt, claimed))) return { kind: 'taken' };
  return { kind: 'unconfirmed', cause: `the provider answers ${state.status} without this payment` };
}

/** A charge that is open has no payment that was credited. */
async function isCredited({ database }: ProviderFeedDependencies, deposit: DepositRow, claimed: ReceiptName) {
  const { state, environment, provider, accountId, id: depositId } = deposit;
  if (state === 'PENDING' || state === 'EXPIRED') return false;
  const key = { environment, provider, e2eId: recordedName(claimed).e2eId };
  const known = await database.reader().findOne(PaymentEntity, key);
  return known?.state === 'CREDITED' && known.accountId === accountId && known.depositId === depositId;
}

/** A report that was kept before payments had their provider's id is about any with its tracking key. */
function isSame(receipt: ReceiptName, claimed: ReceiptName): boolean {
  if (claimed.transferId === undefined) return receipt.e2eId === claimed.e2eId;
  return receipt.transferId === claimed.transferId;
}
