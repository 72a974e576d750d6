import type { z } from 'zod';
import type { EventContract, PayloadOf } from '@gateway/contracts/messages';
import { currentTrace } from '@gateway/runtime';
import { RowArrays } from '#src/row-arrays.ts';
import { eventWritten } from '#src/observe-events.ts';
import { outboxWake, type OutboxRow } from '#src/outbox-wake.ts';

/**
 * The outbox row of an event, for a statement that writes it together with what makes it true, where a transaction
 * of several statements would cost too much. Call `outboxCommitted` afterwards. Everywhere else: `emit`.
 *
 * @throws ZodError when the payload does not fit its contract
 */
export function outboxRow<S extends z.ZodType<{ id: string }>>(
  event: EventContract<S>,
  payload: PayloadOf<EventContract<S>>,
): OutboxRow {
  const message = event.payload.parse(payload);
  eventWritten(event.subject, message);
  return {
    id: message.id,
    subject: event.subject,
    payload: JSON.stringify(message),
    trace: JSON.stringify(currentTrace()),
  };
}

/** Outbox rows as parameters of such a statement, each with the id of the record it is about. */
export const eventArrays = new RowArrays([
  ['id', 'text'],
  ['subject', 'text'],
  ['payload', 'text'],
  ['trace', 'text'],
  ['about', 'text'],
]);

/**
 * Rows were committed. Given with their database, they are published from memory; without, the relay reads the table.
 */
export function outboxCommitted(database?: object, rows: readonly OutboxRow[] = []): void {
  if (database !== undefined && rows.length === 0) return;
  outboxWake.emit('committed', { database, rows });
}
