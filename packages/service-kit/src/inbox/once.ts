import type { Tx } from '#src/database/tx.ts';

/**
 * Runs the work the first time a consumer sees a message, in the transaction that remembers it. Ids are remembered
 * forever: JetStream's own de-duplication lasts minutes, redeliveries do not ask how long ago it was.
 *
 * @returns false when the message was handled before, and the work did not run
 */
export async function once(tx: Tx, consumer: string, messageId: string, work: () => Promise<void>): Promise<boolean> {
  const [first] = await tx.sql(
    'insert into inbox (consumer, message_id) values ($1, $2) on conflict do nothing returning message_id',
    [consumer, messageId],
  );
  if (!first) return false;
  await work();
  return true;
}
