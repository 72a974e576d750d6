import { storeDeadLetter, storeDeadLetterInPart } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { counter, type Logger } from '@gateway/runtime';
import type { IncomingMessage } from '#src/consumer/incoming-message.ts';
import { shardLabel, type Shard } from '#src/shards.ts';

export const deadLetters = counter('gateway_ledger_commands_set_aside_total', 'Commands that became dead letters', [
  'shard',
]);

interface SetAsideOptions {
  readonly database: Database;
  readonly shard: Shard;
  readonly logger: Logger;
  /** The consumer under which it is stored. */
  readonly consumer: string;
}

/** Stores a command that cannot be decided as a dead letter; one that ended several leases in part only. */
export async function setAside(
  { database, shard, logger, consumer }: SetAsideOptions,
  message: IncomingMessage,
  reason: string,
  isSuspect: boolean,
): Promise<void> {
  const { sequence } = message.position;
  logger.error({ shard: shardLabel(shard), sequence, reason }, 'command stored as a dead letter');
  deadLetters.add(1, { shard: shardLabel(shard) });
  const keep = isSuspect ? storeDeadLetterInPart : storeDeadLetter;
  await keep(database, {
    consumer,
    stream: shard.stream.name,
    streamSequence: sequence,
    subject: message.subject,
    payload: message.bytes ?? Buffer.from(message.text),
    headers: message.trace,
    reason,
    deliveries: 1,
  });
}
