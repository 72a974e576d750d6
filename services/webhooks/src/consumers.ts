import { streams } from '@gateway/contracts';
import { startConsumer, type Bus, type Logger } from '@gateway/service-kit';
import { takeEvents, type TakeEventsDeps } from '#src/fanout/take-events.ts';

const batchMessagesMax = 250;

export interface ConsumerDeps extends TakeEventsDeps {
  readonly bus: Bus;
  readonly logger: Logger;
}

/** Every stream this service reads, and what it does with it. */
export function startConsumers(deps: ConsumerDeps): readonly AsyncDisposable[] {
  const { database, bus, logger } = deps;
  return [streams.depositsEvents, streams.payoutsEvents, streams.ledgerEvents].map((stream) =>
    startConsumer({
      stream,
      durable: stream.readers[0].durable,
      database,
      bus,
      logger,
      batchMax: batchMessagesMax,
      handle: (messages) => takeEvents(deps, messages),
    }),
  );
}
