import { ValidationError } from '@gateway/contracts/errors';
import { isId } from '@gateway/money';
import { eventStreamQuerySchema } from '@gateway/public-api';
import type { AskedStream } from '#src/event-streams/event-streams.ts';
import { answerStream, eventStreamType } from '#src/http/stream-answer.ts';
import { merchantEndpoint, ownerOf, type MerchantCall } from '#src/merchant/merchant-endpoint.ts';

/** `GET /v1/events/stream`: the event log as it is written (api.md 8). */
export const eventStreamEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/events/stream',
    operation: 'streamEvents',
    group: 'events',
    summary: 'Follow the events of the account as they are recorded',
    description:
      'Answers with a stream of server-sent events: `id` is the id of the event, `event` its name, `data` the event as ' +
      '`GET /v1/events/{id}` answers it. `Last-Event-ID`, or else `after`, goes on behind that event, so that a reader who ' +
      'comes again has each event exactly once; one that is no longer kept is 400. Without either the stream begins now. ' +
      'A comment is sent every 15 seconds, with the `id` up to which the log was looked at where that is new. The gateway ends each stream after about 30 minutes, and within a second once ' +
      'its key is revoked or may not be used from its address; come again with the last id. A key has at most 5 streams, ' +
      'an account 20: 429.',
    query: eventStreamQuerySchema,
    answers: { 200: null },
    otherMedia: { [eventStreamType]: { type: 'string' } },
    handle: async (call, { eventStreams }) => {
      const { event: events, data_id: dataId, follow } = call.query;
      const { apiVersion, language, caller, address } = call;
      const beginning = beginningOf(call, call.query.after);
      const body = await eventStreams.open({
        ...{ publicKey: caller.publicKey, address, follow, ...beginning },
        followed: { ...ownerOf(call), events, dataId, apiVersion, language },
      });
      return answerStream(body);
    },
  }),
];

/**
 * The event after which a reader goes on. A header that is there and names none is refused: it would begin now, and skip
 * what its reader believes to get.
 */
function beginningOf({ lastEventId }: MerchantCall, after: string | undefined): Pick<AskedStream, 'after' | 'namedBy'> {
  if (lastEventId === undefined) return { after, namedBy: 'after' };
  if (isId('event', lastEventId)) return { after: lastEventId, namedBy: 'last-event-id' };
  throw new ValidationError([{ path: 'last-event-id', message: 'must be the id of an event' }]);
}
