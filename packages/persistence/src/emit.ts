import type { z } from 'zod';
import type { EventContract, PayloadOf } from '@gateway/contracts/messages';
import type { Tx } from '#src/tx.ts';
import { outboxRow } from '#src/outbox-row.ts';

/**
 * Says what happened in the transaction that makes it true (style.md 5). The payload's `id` is the message's identity:
 * the relay publishes under it until JetStream has it, and consumers remember it forever.
 *
 * @throws ZodError when the payload does not fit its contract
 */
export async function emit<S extends z.ZodType<{ id: string }>>(
  tx: Pick<Tx, 'sql' | 'said'>,
  event: EventContract<S>,
  payload: PayloadOf<EventContract<S>>,
): Promise<void> {
  const row = outboxRow(event, payload);
  await tx.sql('insert into outbox (id, subject, payload, trace) values ($1, $2, $3, $4)', [
    row.id,
    row.subject,
    row.payload,
    row.trace,
  ]);
  tx.said(row);
}
