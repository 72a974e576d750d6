import type { Database } from '@gateway/persistence';
import { currentTrace, type SecretBox } from '@gateway/runtime';
import type { Owner } from '#src/endpoints/endpoint.ts';
import { recordedEvent, type EventRow } from '#src/event-log/read-events.ts';
import { deliveriesTo } from '#src/fanout/fan-out.ts';
import { destinationsAt } from '#src/fanout/registered-destinations.ts';
import { noLeases } from '#src/queue/delivery-job.ts';
import { enqueue, type LeaseCapacity } from '#src/queue/enqueue.ts';
import { preparedTransaction, type PreparedTx } from '#src/queue/prepared-transaction.ts';

/** They wait for a claim, as what was requeued does: the calls of now come first. */
const noCapacity: LeaseCapacity = { permits: 0, permitsOf: () => 0, leaseToken: '', leaseLimitsOf: () => noLeases };

export interface Given {
  /** New deliveries. */
  readonly added: number;
  /** False where the endpoint is gone or disabled: it was given nothing. */
  readonly isOpen: boolean;
}

export interface GiveDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
}

/** Which events, of the ones that the transaction finds. */
type Choose = (tx: PreparedTx) => Promise<{
  readonly rows: readonly EventRow[];
  /** What else the transaction writes. */
  readonly alongside: (isOpen: boolean) => Promise<void>;
}>;

/**
 * Gives events of the log to one endpoint, whatever its filter says. One that it was given before is left as it is. The
 * deliveries and what is written alongside are of one transaction.
 */
export async function giveEvents(
  { database, secretBox }: GiveDeps,
  endpoint: Owner & { readonly id: string },
  choose: Choose,
): Promise<Given> {
  return await preparedTransaction(database, { durable: true }, async (tx) => {
    const { rows, alongside } = await choose(tx);
    const received = rows.map((row) => ({
      event: recordedEvent(row),
      message: { subject: row.subject, data: row.payload },
      trace: currentTrace(),
    }));
    const destinations = await destinationsAt(tx, endpoint, received, secretBox);
    const isOpen = destinations !== undefined;
    const deliveries = deliveriesTo(destinations ?? [], secretBox);
    const { waiting } = await enqueue(tx, deliveries, noCapacity, () => alongside(isOpen));
    return { added: waiting, isOpen };
  });
}
