import { eventsLoggedSignal, type EventsLogged } from '@gateway/contracts/webhooks';
import type { Bus } from '@gateway/messaging';
import type { Logger } from '@gateway/runtime';
import { accountKeyOf } from '#src/endpoints/endpoint.ts';
import type { FanOutDeps } from '#src/fanout/fan-out.ts';

type Logged = Parameters<FanOutDeps['onLogged']>[0];

/** Announces to those who follow an account's log that it has grown, once per account. What cannot be sent, they find by looking. */
export function loggedAnnouncer({ connection }: Pick<Bus, 'connection'>, logger: Logger): FanOutDeps['onLogged'] {
  return (events) => {
    try {
      for (const hint of hintsAbout(events)) connection.publish(eventsLoggedSignal, JSON.stringify(hint));
    } catch (error) {
      logger.warn({ err: error }, 'that events are in the log was not announced');
    }
  };
}

/** One of each account: the last of its events, and how many there are of each name. */
export function hintsAbout(events: Logged): EventsLogged[] {
  return [...Map.groupBy(events, accountKeyOf).values()].flatMap((ofAccount) => {
    const last = ofAccount.at(-1);
    if (!last) return [];
    const counts: EventsLogged['counts'] = {};
    for (const { name } of ofAccount) counts[name] = (counts[name] ?? 0) + 1;
    return [{ environment: last.environment, accountId: last.accountId, id: last.id, counts }];
  });
}
