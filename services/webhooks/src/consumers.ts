import { streams } from '@gateway/contracts/broker';
import type { Consumer } from '@gateway/messaging';
import { FanOut, type FanOutDeps } from '#src/fanout/fan-out.ts';

const batchMessagesMax = 250;

/** Every stream this service reads. */
export function consumers(deps: FanOutDeps): Consumer[] {
  const fanOut = new FanOut(deps);
  return [
    streams.depositsEvents,
    streams.payoutsEvents,
    streams.ledgerEvents,
    streams.webhooksEvents,
    streams.gatewayEvents,
  ].map((stream) => ({
    stream,
    durable: stream.readers[0].durable,
    batchMax: batchMessagesMax,
    handle: (messages) => fanOut.handle(messages),
  }));
}
