import { setTimeout as sleep } from 'node:timers/promises';
import { nanos } from '@nats-io/nats-core';
import { DiscardPolicy, JetStreamApiError, RetentionPolicy, StorageType, type StreamState } from '@nats-io/jetstream';
import type { StreamContract } from '@gateway/contracts/broker';
import { backoffMs, type Logger, startLoop, gauge } from '@gateway/runtime';
import type { Bus } from '#src/bus/bus.ts';

const lookIntervalMs = 30_000;
const notFound = 404;
const brokersFault = 500;
/** How often a stream is made again that the broker could not make. */
const makingAgainMax = 4;

/**
 * Creates streams or brings them up to their contracts, now and after every reconnection. A service that reads a
 * stream or publishes into it waits until it exists: the broker lets the ledger alone create one (`streamKeeper`).
 */
export async function ensureStreams(bus: Bus, contracts: readonly StreamContract[], logger: Logger): Promise<void> {
  const ensureAll = async () => {
    for (const contract of contracts) await ensureStream(bus, contract);
  };
  await ensureAll();
  bus.onReconnect(() => {
    ensureAll().catch((error: unknown) => logger.error({ err: error }, 'streams could not be ensured'));
  });
}

/**
 * Keeps streams that were ensured: creates those that the broker has lost, and reports how full each is.
 */
export function keepStreams(bus: Bus, contracts: readonly StreamContract[], logger: Logger): AsyncDisposable {
  const help = 'Share of its room that a stream has filled, by what it does when it is full';
  const filled = new Map<string, number>();
  const gauges = contracts.map(({ name, whenFull }) =>
    gauge('gateway_stream_filled_ratio', help, () => filled.get(name) ?? 0, { stream: name, when_full: whenFull }),
  );
  const work = async () => {
    // A broker that is away answers nothing, and that it is away is reported elsewhere.
    if (!bus.connected) return;
    for (const contract of contracts) {
      const state = await streamState(bus, contract.name);
      if (!state) await ensureStream(bus, contract);
      filled.set(contract.name, (state?.bytes ?? 0) / contract.maxBytes);
    }
  };
  const loop = startLoop({ name: 'streams', intervalMs: lookIntervalMs, logger, work });
  return {
    [Symbol.asyncDispose]: async () => {
      for (const each of gauges) each[Symbol.dispose]();
      await loop[Symbol.asyncDispose]();
    },
  };
}

/** Undefined while the broker has no such stream. */
export async function streamState(bus: Bus, name: string): Promise<StreamState | undefined> {
  try {
    return (await bus.manager.streams.info(name)).state;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === notFound) return undefined;
    throw error;
  }
}

async function ensureStream(bus: Bus, contract: StreamContract): Promise<void> {
  const config = {
    name: contract.name,
    subjects: [...contract.subjects],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    num_replicas: bus.streamReplicas,
    discard: contract.whenFull === 'refuse' ? DiscardPolicy.New : DiscardPolicy.Old,
    max_bytes: contract.maxBytes,
    max_age: nanos(contract.maxAgeMs),
    duplicate_window: nanos(contract.duplicateWindowMs),
  };
  const exists = await bus.manager.streams.info(contract.name).then(
    () => true,
    () => false,
  );
  if (exists) await bus.manager.streams.update(contract.name, config);
  else await untilMade(async () => await bus.manager.streams.add(config));
}

/**
 * A broker removes the files of a stream after it has answered that the stream is gone. One of the same name that is made at once
 * finds no place for its own.
 */
async function untilMade(make: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return void (await make());
    } catch (error) {
      const isOfBroker = error instanceof JetStreamApiError && error.status >= brokersFault;
      if (!isOfBroker || attempt === makingAgainMax) throw error;
      await sleep(backoffMs(attempt));
    }
  }
}
