import { SpanKind, currentTrace, withSpan, type Database, type Message } from '@gateway/service-kit';
import type { SecretBox } from '@gateway/service-kit';
import type { ReceivedEvent } from '#src/intake/draft.ts';
import { fanOut } from '#src/intake/fan-out.ts';
import { publicEventOf } from '#src/intake/public-events.ts';
import { preparedTransaction } from '#src/lanes/prepared-transaction.ts';

export interface TakeEventsDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
  /** New deliveries are due. */
  readonly onDue: () => void;
}

/**
 * Turns a batch of the services' events into deliveries, in one transaction. Handling a message again changes nothing.
 *
 * @throws ZodError when a message does not fit its contract
 */
export async function takeEvents(
  { database, secretBox, onDue }: TakeEventsDeps,
  messages: readonly Message[],
): Promise<void> {
  const events = (await Promise.all(messages.map(readMessage))).filter((event) => event !== undefined);
  if (events.length === 0) return;
  await preparedTransaction(database, { durable: true }, async (tx) => {
    const deliveries = await fanOut(tx, events, secretBox);
    if (deliveries > 0) tx.afterCommit(onDue);
  });
}

/** The span continues the trace of the event; deliveries, which may come much later, continue this one. */
async function readMessage({ subject, data, trace }: Message): Promise<ReceivedEvent | undefined> {
  return await withSpan('webhooks intake', { kind: SpanKind.CONSUMER, parent: trace }, async (span) => {
    const event = publicEventOf(subject, data);
    if (!event) return undefined;
    span.setAttributes({ 'gateway.event': event.name, 'gateway.data_id': event.dataId });
    return { event, trace: currentTrace() };
  });
}
