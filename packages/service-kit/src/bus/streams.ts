import { nanos } from '@nats-io/nats-core';
import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { StreamContract } from '@gateway/contracts';
import type { Bus } from '#src/bus/bus.ts';
import type { Logger } from '#src/run/logger.ts';

/**
 * Creates the owner's streams or brings them up to their contract, now and after every reconnection. Who only reads a
 * stream waits for its owner: the broker lets nobody else make it.
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
  else await bus.manager.streams.add(config);
}
