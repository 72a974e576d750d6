import { streams } from '@gateway/contracts/broker';
import { type Bus, type Consumer, type ConsumerPosition, readPosition } from '@gateway/messaging';
import { FanOut, type FanOutDeps } from '#src/fanout/fan-out.ts';

const batchMessagesMax = 250;

const read = [
  streams.depositsEvents,
  streams.payoutsEvents,
  streams.ledgerEvents,
  streams.webhooksEvents,
  streams.gatewayEvents,
];

/** Every stream this service reads. */
export function consumers(deps: FanOutDeps): Consumer[] {
  const fanOut = new FanOut(deps);
  return read.map((stream) => ({
    stream,
    durable: stream.readers[0].durable,
    batchMax: batchMessagesMax,
    handle: (messages) => fanOut.handle(messages),
  }));
}

/** How far each of those streams goes, and how far the log has come in it; undefined while the broker does not say. */
export async function readPositions(bus: Bus): Promise<readonly ConsumerPosition[] | undefined> {
  const positions = await Promise.all(
    read.map((stream) => readPosition(bus, { stream, durable: stream.readers[0].durable })),
  );
  const known = positions.filter((position) => position !== undefined);
  return known.length === positions.length ? known : undefined;
}
