import type { Environment } from '@gateway/contracts';
import type { Grade, ProviderEvent } from '@gateway/providers';
import type { Dependencies } from '#src/dependencies.ts';
import { takeDisputeEvent } from '#src/dispute/take-dispute-event.ts';
import { hearOfReturn } from '#src/notifications/hear-of-return.ts';
import { lookUpCharge } from '#src/notifications/look-up-charge.ts';
import { takeReceipt } from '#src/payment/take-receipt.ts';

const ledgerTimeoutMs = 5_000;

interface EventSource {
  readonly environment: Environment;
  readonly provider: string;
}

/**
 * Does what a provider's event asks for; every event may come again, and in any order. A `hint`, or
 * what a platform signs for all its customers, only says what to look up; disputes that are hinted at are found by the poller.
 *
 * @throws DomainError SERVICE_UNAVAILABLE or PROVIDER_UNAVAILABLE when it is to be told again
 */
export async function takeProviderEvent(
  dependencies: Dependencies,
  source: EventSource,
  event: ProviderEvent,
  grade: Grade,
): Promise<void> {
  switch (event.type) {
    case 'charge.paid': {
      const charge = { ...source, reference: event.ref };
      if (isHint(grade)) return await lookUpCharge(dependencies, charge, ledgerTimeoutMs);
      const { e2eId, money, at: paidAt, payer } = event;
      const receipt = { e2eId, money, paidAt, ...(payer ? { payer } : {}) };
      return await takeReceipt(dependencies, charge, receipt, ledgerTimeoutMs);
    }
    case 'refund.done':
    case 'refund.failed': {
      const { ref } = event;
      // One that is not named by our reference is asked about by its own schedule.
      if (ref === undefined) return;
      const end = event.type === 'refund.done' ? 'DONE' : 'FAILED';
      return await hearOfReturn(dependencies, { ...source, ref, end });
    }
    case 'dispute.opened':
    case 'dispute.review':
    case 'dispute.won':
    case 'dispute.lost':
      if (!isHint(grade)) await takeDisputeEvent(dependencies, source, event, ledgerTimeoutMs);
      return;
    // Expiry is ours; payouts have a receiver of their own.
    case 'charge.expired':
    case 'charge.canceled':
    case 'payout.paid':
    case 'payout.failed':
    case 'payout.returned':
    case 'probe':
    case 'ignored':
    case 'unreadable':
      return;
  }
}

/** Says no more than what to look up. */
function isHint(grade: Grade): boolean {
  return grade === 'hint' || grade === 'platform';
}
