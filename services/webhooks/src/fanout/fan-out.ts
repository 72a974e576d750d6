import type { Message } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { counter, currentTrace, nameIds, SpanKind, withSpan, type SecretBox } from '@gateway/runtime';
import type { EndpointFormat } from '#src/endpoints/endpoint.ts';
import { callbackDestinations } from '#src/fanout/callback-destinations.ts';
import { encoders, type BodyOptions } from '#src/fanout/encoders.ts';
import { logEvents } from '#src/fanout/log-events.ts';
import { publicEventOf } from '#src/fanout/public-events.ts';
import {
  isAnyWanted,
  registeredDestinations,
  type Destination,
  type ReceivedEvent,
} from '#src/fanout/registered-destinations.ts';
import type { NewDelivery } from '#src/queue/delivery-job.ts';
import { enqueue } from '#src/queue/enqueue.ts';
import { preparedTransaction, type PreparedTx } from '#src/queue/prepared-transaction.ts';
import { sealBody } from '#src/queue/stored-body.ts';
import type { Dispatcher, Reservation } from '#src/scheduler/dispatcher.ts';

/** Permits for the deliveries of one transaction at most; and how many make a transaction worth its commit. */
const permitsMax = 256;
const permitsMin = 128;
/** How long a batch of events waits for the next call to end. Deliveries without a permit then wait in their queues. */
const permitTimeoutMs = 50;

const suppressed = counter(
  'gateway_webhook_duplicates_suppressed_total',
  'Deliveries an endpoint had been given before',
);

export interface FanOutDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly dispatcher: Dispatcher;
  /** New deliveries are due. */
  readonly onDue: () => void;
  /** Events are in the log, committed. */
  readonly onLogged: (events: readonly ReceivedEvent['event'][]) => void;
}

/**
 * Writes the events of the services to the event log and turns them into deliveries, one per event and endpoint that
 * wants it: a delivery and its event in the log are of one transaction. As many events share a
 * transaction as there are permits for their deliveries, so that under load none of them needs a claim. Where calls do
 * not end, deliveries are added to their queues no faster than `permitTimeoutMs` allows: queues that only grow are never
 * emptied.
 */
export class FanOut {
  readonly #deps: FanOutDeps;
  /** Of the last transaction: how many events the permits are enough for. */
  #deliveriesPerEvent = 1;
  /** Of the last batch. After one that no endpoint wanted, the next is checked first, before permits are waited for. */
  #wanted = true;

  constructor(deps: FanOutDeps) {
    this.#deps = deps;
  }

  /**
   * Handles a batch of messages. Handling a message again adds nothing.
   *
   * @throws ZodError when a message does not fit its contract
   */
  async handle(messages: readonly Message[]): Promise<void> {
    const { database, dispatcher } = this.#deps;
    const events = (await Promise.all(messages.map(readMessage))).filter((event) => event !== undefined);
    if (events.length === 0) return;
    if (!this.#wanted && !(await isAnyWanted(database, events))) {
      await preparedTransaction(database, { durable: true }, (tx) => logEvents(tx, events));
      this.#deps.onLogged(events.map(({ event }) => event));
      return;
    }
    for (let from = 0; from < events.length;) {
      const expected = (events.length - from) * this.#deliveriesPerEvent;
      await dispatcher.waitForPermits(Math.min(expected, permitsMin), permitTimeoutMs);
      using reservation = dispatcher.reserve(permitsMax);
      const permits = reservation.permits >= this.#deliveriesPerEvent ? reservation.permits : permitsMax;
      const count = Math.max(Math.floor(permits / this.#deliveriesPerEvent), 1);
      await this.#enqueueTogether(events.slice(from, from + count), reservation);
      from += count;
    }
  }

  async #enqueueTogether(events: readonly ReceivedEvent[], reservation: Reservation): Promise<void> {
    const { database, secretBox, onDue, onLogged } = this.#deps;
    await preparedTransaction(database, { durable: true }, async (tx) => {
      const deliveries = await deliveriesOf(tx, events, secretBox);
      const { jobs, waiting, duplicates } = await enqueue(tx, deliveries, reservation, () => logEvents(tx, events));
      suppressed.add(duplicates);
      const added = jobs.length + waiting;
      this.#wanted = added > 0;
      this.#deliveriesPerEvent = Math.max(added / events.length, 1);
      tx.afterCommit(() => {
        reservation.start(jobs);
        if (waiting > 0) onDue();
        onLogged(events.map(({ event }) => event));
      });
    });
  }
}

/** The span continues the trace of the event; deliveries, which may come much later, continue this span. */
async function readMessage({ subject, data, trace }: Message): Promise<ReceivedEvent | undefined> {
  return await withSpan('webhooks intake', { kind: SpanKind.CONSUMER, parent: trace }, async (span) => {
    const event = publicEventOf(subject, data);
    if (!event) return undefined;
    span.setAttributes({ 'gateway.event': event.name, 'gateway.data_id': event.dataId });
    nameIds(span, { id: event.dataId, accountId: event.accountId });
    return { event, message: { subject, data }, trace: currentTrace() };
  });
}

async function deliveriesOf(
  tx: PreparedTx,
  events: readonly ReceivedEvent[],
  secretBox: SecretBox,
): Promise<NewDelivery[]> {
  const destinations = [
    ...(await registeredDestinations(tx, events, secretBox)),
    ...(await callbackDestinations(tx, events, secretBox)),
  ];
  return deliveriesTo(destinations, secretBox);
}

/** What is delivered to them; nothing where the format of an endpoint has no such event. */
export function deliveriesTo(destinations: readonly Destination[], secretBox: SecretBox): NewDelivery[] {
  const bodies = new Map<string, Buffer | undefined>();
  return destinations.flatMap((destination) => deliveryTo(destination, secretBox, bodies));
}

/** @param bodies as they are stored, by event and variant: endpoints with the same variant share them */
function deliveryTo(
  { received: { event, trace }, options, format, url, target }: Destination,
  secretBox: SecretBox,
  bodies: Map<string, Buffer | undefined>,
): NewDelivery[] {
  const variant = encoders[format].variantFor(options);
  const key = `${event.id} ${variant}`;
  if (!bodies.has(key)) bodies.set(key, storedBody(event, options, format, secretBox));
  const body = bodies.get(key);
  return body ? [{ endpointId: options.id, event, format: variant, body, url, target, trace }] : [];
}

function storedBody(
  event: ReceivedEvent['event'],
  options: BodyOptions,
  format: EndpointFormat,
  secretBox: SecretBox,
): Buffer | undefined {
  const { confidential, variantFor, encode } = encoders[format];
  const body = encode(event, options);
  return body && confidential ? sealBody(body, event.id, variantFor(options), secretBox) : body;
}
