import type { z } from 'zod';
import type { EventContract, PayloadOf } from '@gateway/contracts/messages';
import type { Tx } from '#src/tx.ts';
import { insertOutboxRow, outboxRowParameters, outboxRow } from '#src/outbox-row.ts';

/**
 * Writes an event to the outbox in the transaction that makes it true (style.md 5). The payload's `id` is the identity
 * of the message: it is published under that id, also when it is published again.
 *
 * @throws ZodError when the payload does not fit its contract
 */
export async function emit<S extends z.ZodType<{ id: string }>>(
  tx: Pick<Tx, 'sql' | 'outboxWritten'>,
  event: EventContract<S>,
  payload: PayloadOf<EventContract<S>>,
): Promise<void> {
  const row = outboxRow(event, payload);
  await tx.sql(insertOutboxRow(1), outboxRowParameters(row));
  tx.outboxWritten(row);
}
