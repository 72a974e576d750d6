import type { Bus } from '#src/bus/bus.ts';
import type { Database } from '#src/database/database.ts';
import { outboxWake } from '#src/outbox/outbox-wake.ts';
import { startLoop } from '#src/run/loop.ts';
import type { Logger } from '#src/run/logger.ts';
import { gauge } from '#src/telemetry/metrics.ts';
import type { TraceCarrier } from '#src/telemetry/span.ts';

const batchMessagesMax = 200;
const pollIntervalMs = 1_000;
/** Bounds how long row locks are held while JetStream is asked to store a batch. */
const publishTimeoutMs = 3_000;

interface OutboxRow {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
  readonly trace: TraceCarrier;
}

export interface OutboxRelayOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly logger: Logger;
}

/**
 * Publishes outbox rows until JetStream has stored them, then removes them. Rows stay locked meanwhile, so several
 * relays share the work; a crash between storing and removing publishes again under the same message id.
 */
export function startOutboxRelay(options: OutboxRelayOptions): AsyncDisposable {
  const loop = startLoop({
    name: 'outbox relay',
    intervalMs: pollIntervalMs,
    logger: options.logger,
    work: () => publishBatch(options),
  });
  const wake = () => loop.wake();
  outboxWake.on('committed', wake);
  const oldest = watchOldestRow(options);
  return {
    [Symbol.asyncDispose]: async () => {
      outboxWake.off('committed', wake);
      await oldest[Symbol.asyncDispose]();
      await loop[Symbol.asyncDispose]();
    },
  };
}

/** Answers true when the batch was full, so that more is waiting. */
async function publishBatch({ database, bus }: OutboxRelayOptions): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const rows = await tx.sql<OutboxRow>(
      'select id, subject, payload, trace from outbox order by id limit $1 for update skip locked',
      [batchMessagesMax],
    );
    if (rows.length === 0) return false;
    const stored = await Promise.allSettled(
      rows.map((row) =>
        bus.publish(row.subject, row.payload, { messageId: row.id, trace: row.trace, timeoutMs: publishTimeoutMs }),
      ),
    );
    const ids = rows.filter((_row, index) => stored[index]?.status === 'fulfilled').map((row) => row.id);
    await tx.sql('delete from outbox where id = any($1)', [ids]);
    const failure = stored.find((outcome) => outcome.status === 'rejected');
    if (failure && ids.length === 0) throw failure.reason;
    return rows.length === batchMessagesMax;
  });
}

function watchOldestRow({ database, logger }: OutboxRelayOptions): AsyncDisposable {
  let ageSec = 0;
  gauge('gateway_outbox_oldest_seconds', 'Age of the oldest message that is not on the bus yet', () => ageSec);
  return startLoop({
    name: 'outbox age',
    intervalMs: 10_000,
    logger,
    work: async () => {
      const [row] = await database.query<{ age: number | null }>(
        'select extract(epoch from now() - min(created_at))::float8 as age from outbox',
      );
      ageSec = row?.age ?? 0;
    },
  });
}
