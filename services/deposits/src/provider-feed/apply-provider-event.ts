import { isWithinLimit, type ItemOutcome } from '@gateway/provider-feeds';
import type { Graded, ProviderEvent } from '@gateway/providers';
import { applyDisputeEvent, type DisputeOpening } from '#src/dispute/apply-dispute-event.ts';
import { PaymentUnknownError } from '#src/errors.ts';
import { askAboutDispute } from '#src/provider-feed/ask-about-dispute.ts';
import { checkExplained, confirmReturn } from '#src/provider-feed/confirm-return.ts';
import type { EventSource, ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { lookUpCharge } from '#src/provider-feed/look-up-charge.ts';

const ledgerTimeoutMs = 5_000;

const taken: ItemOutcome = { kind: 'taken' };

/**
 * What is signed for us alone may hold money back: it opens a dispute. Everything else it says is asked about.
 *
 * @throws DomainError as `askAbout`
 */
export async function applySigned(
  dependencies: ProviderFeedDependencies,
  source: EventSource,
  event: Graded<'ours', ProviderEvent>,
): Promise<ItemOutcome> {
  if (!isOpening(event)) return await askAbout(dependencies, source, event);
  return await unknownUnlessOurs(applyDisputeEvent(dependencies, source, event, ledgerTimeoutMs));
}

/**
 * Asks the provider about an event; the event may come from any sender, or from a list of the provider. Only the answer to our
 * question counts; every event may come again, and in any order.
 *
 * @throws DomainError SERVICE_UNAVAILABLE or PROVIDER_UNAVAILABLE when it is to be tried again
 */
export async function askAbout(
  dependencies: ProviderFeedDependencies,
  source: EventSource,
  event: ProviderEvent,
): Promise<ItemOutcome> {
  switch (event.type) {
    case 'charge.paid': {
      const charge = { ...source, reference: event.ref };
      return await lookUpCharge(dependencies, charge, { claimed: event, ledgerTimeoutMs });
    }
    case 'refund.done':
    case 'refund.failed':
      return await confirmRefund(dependencies, source, event);
    case 'dispute.opened':
    case 'dispute.review':
    case 'dispute.won':
    case 'dispute.lost':
      return await askAboutDispute(dependencies, source, event, ledgerTimeoutMs);
    // Expiry is ours; payouts have a receiver of their own.
    case 'charge.expired':
    case 'charge.canceled':
    case 'payout.paid':
    case 'payout.failed':
    case 'payout.returned':
    case 'probe':
    case 'ignored':
      return taken;
    case 'unreadable':
      return { kind: 'unreadable', shape: event.reason };
  }
}

/**
 * The same for what a notification reports, which any sender may have made up: a provider is asked about one reference so
 * often in a minute, and what is beyond waits.
 */
export async function askWithinLimit(
  dependencies: ProviderFeedDependencies,
  source: EventSource,
  event: ProviderEvent,
): Promise<ItemOutcome> {
  if (!isWithinLimit(dependencies.feeds, source, event)) return { kind: 'later' };
  return await askAbout(dependencies, source, event);
}

/** One that is not named by our reference is asked about by its own schedule. */
async function confirmRefund(
  dependencies: ProviderFeedDependencies,
  source: EventSource,
  { type, ref, e2eId }: Extract<ProviderEvent, { type: `refund.${string}` }>,
): Promise<ItemOutcome> {
  const end = type === 'refund.done' ? 'DONE' : 'FAILED';
  const confirmed = ref === undefined ? null : await confirmReturn(dependencies, { ...source, ref, end });
  if (confirmed) return confirmed;
  if (end === 'FAILED' || e2eId === undefined) return taken;
  return await checkExplained(dependencies, source, { e2eId, isNamed: ref !== undefined });
}

function isOpening(event: Graded<'ours', ProviderEvent>): event is Graded<'ours', DisputeOpening> {
  return event.type === 'dispute.opened';
}

/** Payments of others on the same account are contested too. */
async function unknownUnlessOurs(dispute: Promise<unknown>): Promise<ItemOutcome> {
  try {
    await dispute;
    return taken;
  } catch (error) {
    if (error instanceof PaymentUnknownError) return { kind: 'unknown', cause: error.message };
    throw error;
  }
}
