import { eventsLoggedSignal, type EventsLogged } from '@gateway/contracts/webhooks';
import type { Bus } from '@gateway/messaging';
import type { Logger } from '@gateway/runtime';
import { accountKeyOf } from '#src/endpoints/endpoint.ts';
import type { FanOutDeps } from '#src/fanout/fan-out.ts';

/** Announces to those who follow an account's log that it has grown, once per account. What cannot be sent, they find by looking. */
export function loggedAnnouncer({ connection }: Pick<Bus, 'connection'>, logger: Logger): FanOutDeps['onLogged'] {
  return (events) => {
    const last = new Map(events.map((event) => [accountKeyOf(event), event]));
    try {
      for (const { environment, accountId, id } of last.values()) {
        const hint: EventsLogged = { environment, accountId, id };
        connection.publish(eventsLoggedSignal, JSON.stringify(hint));
      }
    } catch (error) {
      logger.warn({ err: error }, 'that events are in the log was not announced');
    }
  };
}
