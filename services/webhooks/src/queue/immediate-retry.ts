import { deliveryState } from '#src/queue/delivery-job.ts';
import { immediateMaxMs, immediateRetries } from '#src/queue/retry-schedule.ts';

/**
 * For so long after it was due an immediate retry passes a breaker that has opened. The receiver is called once at a time, so
 * the retries of many deliveries may have to wait for each other.
 */
const passesFor = `interval '2 minutes'`;

/**
 * Whether a delivery is to have an immediate retry: it failed for the first or second time, and while the breaker was closed, or
 * else it would be due later. It has both of them, whatever has become of the breaker in between (webhooks.md 7).
 *
 * @param delivery the alias of the table of deliveries, whose index of retries finds them by `due_at`
 */
function isImmediateRetry(delivery: string): string {
  return `${delivery}.state = ${deliveryState.waiting} and ${delivery}.attempts > 0
    and ${delivery}.due_at > now() - ${passesFor}
    and ${delivery}.attempts - ${delivery}.attempts_before between 1 and ${immediateRetries}
    and ${delivery}.due_at <= ${delivery}.attempted_at + interval '${immediateMaxMs} milliseconds'`;
}

/** The condition on a delivery that an open breaker lets pass now. */
export function passesBreaker(delivery: string, endpointId: string): string {
  return `${delivery}.endpoint_id = ${endpointId} and ${delivery}.due_at <= now() and ${isImmediateRetry(delivery)}`;
}

/** When the next of them is due; null where there is none. */
export function immediateReadyAt(endpointId: string): string {
  return `(select min(retried.due_at) from delivery retried
    where retried.endpoint_id = ${endpointId} and ${isImmediateRetry('retried')})`;
}
