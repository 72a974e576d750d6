import { streams } from '@gateway/contracts';
import { startConsumer, type Bus, type Logger } from '@gateway/service-kit';
import { takeEvents, type TakeEventsDeps } from '#src/intake/take-events.ts';

const batchMessagesMax = 250;

export interface ConsumerDeps extends TakeEventsDeps {
  readonly bus: Bus;
  readonly logger: Logger;
}

/** Every stream this service reads, and what it does with it. */
export function startConsumers(deps: ConsumerDeps): readonly AsyncDisposable[] {
  const { database, bus, logger } = deps;
  const sources = [
    { stream: streams.depositsEvents, durable: 'webhooks-deposits' },
    { stream: streams.payoutsEvents, durable: 'webhooks-payouts' },
    { stream: streams.ledgerEvents, durable: 'webhooks-ledger' },
  ];
  return sources.map((source) =>
    startConsumer({
      ...source,
      database,
      bus,
      logger,
      batchMax: batchMessagesMax,
      handle: (messages) => takeEvents(deps, messages),
    }),
  );
}
