import type { StreamContract } from '@gateway/contracts/broker';
import { gauge, startLoop, type Logger } from '@gateway/runtime';
import type { Bus } from '#src/bus/bus.ts';

const lagIntervalMs = 15_000;

interface Watched {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly stream: StreamContract;
  readonly durable: string;
}

/** What waits in the stream, and what was handed out and is not acknowledged yet. */
export function watchLag({ bus, logger, stream, durable }: Watched): AsyncDisposable {
  let messages = 0;
  const help = 'Messages a consumer has not handled yet';
  const lag = gauge('gateway_consumer_lag_messages', help, () => messages, { consumer: durable });
  const loop = startLoop({
    name: 'consumer lag',
    intervalMs: lagIntervalMs,
    logger,
    work: async () => {
      // Without the broker the number is not known, and that it is away is reported elsewhere.
      const info = await bus.manager.consumers.info(stream.name, durable).catch(() => undefined);
      if (info) messages = info.num_pending + info.num_ack_pending;
    },
  });
  return {
    [Symbol.asyncDispose]: async () => {
      lag[Symbol.dispose]();
      await loop[Symbol.asyncDispose]();
    },
  };
}
