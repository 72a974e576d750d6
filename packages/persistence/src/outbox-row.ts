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

const outboxArrays = new RowArrays([
  ['id', 'text'],
  ['subject', 'text'],
  ['payload', 'text'],
  ['trace', 'text'],
  ['about', 'text'],
]);

/** An outbox row with the id of the record it is about, where the statement decides by record. */
export type EventOfRecord = OutboxRow & { readonly about?: string };

/**
 * The part of a statement that writes many outbox rows, `emit` for a batch: those of its parameters from
 * `firstParameter` on, made by `outboxParameters`, as `event`. `condition` is the join behind it that keeps out the events
 * of what the statement did not write: `join inserted on inserted.id = event.about`.
 */
export function insertOutboxRows(firstParameter: number, condition: string): string {
  return `
    insert into outbox (id, subject, payload, trace)
    select event.id, event.subject, event.payload, event.trace::jsonb
    from ${outboxArrays.from(firstParameter, 'event')} ${condition}`;
}

/** The parameters of `insertOutboxRows`. */
export function outboxParameters(events: readonly EventOfRecord[]): Buffer[] {
  return outboxArrays.parametersOf(events);
}

/** The part of a statement that writes one outbox row: that of its parameters from `firstParameter` on. */
export function insertOutboxRow(firstParameter: number): string {
  const parameters = [0, 1, 2, 3].map((index) => `$${firstParameter + index}`);
  return `insert into outbox (id, subject, payload, trace) values (${parameters.join(', ')})`;
}

/** The parameters of `insertOutboxRow`. */
export function outboxRowParameters({ id, subject, payload, trace }: OutboxRow): string[] {
  return [id, subject, payload, trace];
}

/**
 * Rows were committed. Given with their database, they are published from memory; without, the relay reads the table.
 */
export function outboxCommitted(database?: object, rows: readonly OutboxRow[] = []): void {
  if (database !== undefined && rows.length === 0) return;
  outboxWake.emit('committed', { database, rows });
}
