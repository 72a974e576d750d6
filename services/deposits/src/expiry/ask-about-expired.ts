import type { Tx } from '@gateway/persistence';
import type { ItemOutcome } from '@gateway/provider-feeds';
import type { Dependencies } from '#src/dependencies.ts';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { lookUpCharge } from '#src/notifications/look-up-charge.ts';
import type { ChargeKey } from '#src/payment/take-receipt.ts';
import { routeOf } from '#src/providers/charge-routes.ts';

const ledgerTimeoutMs = 5_000;

/** Of the inbox: charges whose time is up, by their references. */
export const expiryFeed = 'expired-charges';

/** A charge whose time is up is asked about once more, for a payment that neither notification nor list has told. */
export async function askOnceMore(
  tx: Tx,
  { chargeRoutes, feeds }: Pick<Dependencies, 'chargeRoutes' | 'feeds'>,
  { environment, provider, reference }: DepositRow,
): Promise<void> {
  const route = routeOf(chargeRoutes, environment, provider);
  if (!route || route.offline) return;
  await feeds.keepIn(tx, { environment, provider, feed: expiryFeed }, [{ key: reference, raw: null }]);
}

/**
 * Takes what has arrived on it; nothing is what is expected. The budget of calls may delay the question.
 *
 * @throws DomainError when the provider or the ledger does not answer
 */
export async function askAboutExpired(dependencies: Dependencies, charge: ChargeKey): Promise<ItemOutcome> {
  if (!dependencies.feeds.budget.take(charge.provider)) return { kind: 'later' };
  return await lookUpCharge(dependencies, charge, { ledgerTimeoutMs });
}
