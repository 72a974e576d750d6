import { SpanKind, currentTrace, withSpan, type Database, type Message } from '@gateway/service-kit';
import type { SecretBox } from '@gateway/service-kit';
import type { ReceivedEvent } from '#src/fanout/draft.ts';
import { fanOut } from '#src/fanout/fan-out.ts';
import { publicEventOf } from '#src/fanout/public-events.ts';
import { isAnyWanted } from '#src/fanout/registered-destinations.ts';
import { preparedTransaction } from '#src/queue/prepared-transaction.ts';
import type { Dispatcher, Reservation } from '#src/scheduler/dispatcher.ts';

/** Deliveries that are sent without a claim, of one transaction at most; and how many make one worth its commit. */
const directMax = 256;
const directMin = 128;
/** How long a batch of events waits for the next call to end. What finds no room at all then waits in its lane instead. */
const roomTimeoutMs = 50;
/** Deliveries per event, as a first guess and at least. */
const fanOutMin = 1;

export interface TakeEventsDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly dispatcher: Dispatcher;
  /** New deliveries are due. */
  readonly onDue: () => void;
}

/** Deliveries per event of the last transaction: how many events to take for the room there is. */
let fanOutLast = fanOutMin;
/** Whether the last batch was wanted by anybody; after one that was not, the next is looked at first. */
let wantedLast = true;

/**
 * Turns events of the services into deliveries: as many in one transaction as can be sent at once, so that under load
 * nothing needs a claim. Where calls do not end, deliveries go to wait in their lanes, no faster than lanes empty
 * again: who took all that comes would find lanes that never do. Handling a message again changes nothing.
 *
 * @throws ZodError when a message does not fit its contract
 */
export async function takeEvents(deps: TakeEventsDeps, messages: readonly Message[]): Promise<void> {
  const events = (await Promise.all(messages.map(readMessage))).filter((event) => event !== undefined);
  if (events.length === 0) return;
  if (!wantedLast && !(await isAnyWanted(deps.database, events))) return;
  for (let from = 0; from < events.length;) {
    const expected = (events.length - from) * fanOutLast;
    await deps.dispatcher.roomFor(Math.min(expected, directMin), roomTimeoutMs);
    using room = deps.dispatcher.reserve(directMax);
    const places = room.places >= fanOutLast ? room.places : directMax;
    const count = Math.max(Math.floor(places / fanOutLast), 1);
    await takeTogether(deps, events.slice(from, from + count), room);
    from += count;
  }
}

async function takeTogether(
  { database, secretBox, onDue }: TakeEventsDeps,
  events: readonly ReceivedEvent[],
  room: Reservation,
): Promise<void> {
  await preparedTransaction(database, { durable: true }, async (tx) => {
    const { leased, waiting } = await fanOut(tx, events, secretBox, room);
    wantedLast = leased.length + waiting > 0;
    fanOutLast = Math.max((leased.length + waiting) / events.length, fanOutMin);
    tx.afterCommit(() => {
      room.start(leased);
      if (waiting > 0) onDue();
    });
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
