import { streams } from '@gateway/contracts/broker';
import { DisputeHoldingChanged } from '@gateway/contracts/ledger';
import type { Consumer } from '@gateway/messaging';
import type { Dependencies } from '#src/dependencies.ts';
import { applyHoldingChange } from '#src/dispute/follow-holding.ts';
import { handleNotification } from '#src/provider-feed/handle-notification.ts';

/**
 * Each is asked about at its provider, and then credited: as many at once as two providers are called over connections.
 * New charges, of which as many may be under way as the gateway admits, are not to take the turns of money that arrived.
 */
const notificationsConcurrency = 64;

/** Every stream this service reads. */
export function consumers(dependencies: Dependencies): Consumer[] {
  return [
    {
      stream: streams.providerNotifications,
      durable: streams.providerNotifications.readers[0].durable,
      concurrency: notificationsConcurrency,
      handle: async (messages) => {
        for (const message of messages) await handleNotification(dependencies, message);
      },
    },
    {
      // A change that is lost here is found by the worker that looks up open disputes.
      stream: streams.ledgerEvents,
      durable: streams.ledgerEvents.readers[1].durable,
      handle: async (messages) => {
        for (const { subject, data } of messages) {
          if (subject !== DisputeHoldingChanged.subject) continue;
          await applyHoldingChange(dependencies, DisputeHoldingChanged.payload.parse(data));
        }
      },
    },
  ];
}
