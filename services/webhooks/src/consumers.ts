import { streams } from '@gateway/contracts/broker';
import { startConsumer, type Bus } from '@gateway/messaging';
import type { Logger } from '@gateway/runtime';
import { FanOut, type FanOutDeps } from '#src/fanout/fan-out.ts';

const batchMessagesMax = 250;

export interface ConsumerDeps extends FanOutDeps {
  readonly bus: Bus;
  readonly logger: Logger;
}

/** Every stream this service reads. */
export function startConsumers(deps: ConsumerDeps): readonly AsyncDisposable[] {
  const { database, bus, logger } = deps;
  const fanOut = new FanOut(deps);
  return [streams.depositsEvents, streams.payoutsEvents, streams.ledgerEvents].map((stream) =>
    startConsumer({
      stream,
      durable: stream.readers[0].durable,
      database,
      bus,
      logger,
      batchMax: batchMessagesMax,
      handle: (messages) => fanOut.handle(messages),
    }),
  );
}
