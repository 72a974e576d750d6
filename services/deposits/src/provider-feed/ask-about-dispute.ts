import { type ItemOutcome, measureProviderCall } from '@gateway/provider-feeds';
import type { DisputeFact, DisputeLookup } from '@gateway/providers';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { ProviderUnavailableError } from '#src/errors.ts';
import { PaymentEntity, TransferEntity } from '#src/payment/payment-entity.ts';
import type { EventSource, ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { takeEach } from '#src/provider-feed/take-each.ts';
import { routeOf } from '#src/routing/charge-routes.ts';

const lookUpTimeoutMs = 4_000;

type HintedDispute = Pick<DisputeFact, 'disputeRef' | 'providerRef' | 'e2eId' | 'openedAt'>;

/**
 * Asks what is contested of a payment, by the payment's own id and whatever its age, and takes each answer.
 *
 * @throws DomainError PROVIDER_UNAVAILABLE when the provider does not answer, SERVICE_UNAVAILABLE when an answer cannot
 *   be carried out now
 */
export async function askAboutDispute(
  dependencies: ProviderFeedDependencies,
  source: EventSource,
  hinted: HintedDispute,
  ledgerTimeoutMs: number,
): Promise<ItemOutcome> {
  const paid = await amountPaid(dependencies, source, hinted.e2eId);
  if (paid === null) return { kind: 'unknown', cause: 'no payment of ours has this id' };
  const provider = routeOf(dependencies.chargeRoutes, source.environment, source.provider)?.provider;
  if (!provider?.getDisputes) return { kind: 'unconfirmed', cause: 'the provider cannot be asked about disputes' };
  const { disputeRef, providerRef, e2eId, openedAt } = hinted;
  const lookup: DisputeLookup = {
    disputeRef,
    e2eId,
    paid,
    ...(providerRef ? { providerRef } : {}),
    ...(openedAt ? { openedAt } : {}),
  };
  const signal = AbortSignal.timeout(lookUpTimeoutMs);
  const ask = async () => await provider.getDisputes?.(lookup, { signal });
  const state = await measureProviderCall(provider.id, 'get_disputes', (answer) => answer?.status ?? 'NONE', ask);
  if (!state || state.status === 'UNAVAILABLE') throw new ProviderUnavailableError(state?.cause);
  if (state.status === 'NOT_FOUND') return { kind: 'unconfirmed', cause: 'the provider knows of no dispute' };
  const facts = state.disputes.filter((fact) => fact.e2eId === e2eId);
  await takeEach(facts, async (fact) => await applyDisputeEvent(dependencies, source, fact, ledgerTimeoutMs));
  if (facts.length === state.disputes.length) return { kind: 'taken' };
  return { kind: 'unconfirmed', cause: 'the provider answered with another payment' };
}

/** Minor units; null for a payment that has no record here, or none yet. */
async function amountPaid(
  { database }: ProviderFeedDependencies,
  source: EventSource,
  e2eId: string,
): Promise<number | null> {
  const { environment, provider } = source;
  const em = database.reader();
  const payment = await em.findOne(PaymentEntity, { environment, provider, e2eId });
  if (payment) return payment.amount;
  const transfer = await em.findOne(TransferEntity, { environment, provider, e2eId });
  return transfer?.amount ?? null;
}
