import { streams } from '@gateway/contracts/broker';
import type { Consumer } from '@gateway/messaging';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { handleNotification } from '#src/provider-feed/handle-notification.ts';

/** Each is asked about at its provider: as many at once as one is called over connections. */
const notificationsConcurrency = 32;

/** Every stream this service reads. */
export function consumers(dependencies: ProviderFeedDependencies): Consumer[] {
  const stream = streams.providerNotifications;
  return [
    {
      stream,
      durable: stream.readers[1].durable,
      concurrency: notificationsConcurrency,
      handle: async (messages) => {
        for (const message of messages) await handleNotification(dependencies, message);
      },
    },
  ];
}
