import type { Mutant } from '../mutant.ts';

const log = 'services/webhooks/test/event-log.test.ts';
const again = 'an event that is recorded again keeps its place, and events that are recorded together have one each';
const replay = 'services/webhooks/test/replay.test.ts';
const stream = 'services/api-gateway/test/merchant/event-stream.test.ts';

/** The log itself, in the webhooks service. */
export const eventLog: readonly Mutant[] = [
  {
    id: 'EL01',
    file: 'services/webhooks/src/event-log/read-events.ts',
    replaced: "order === 'asc' ? 'seq > ?' : 'seq < ?'",
    by: "order === 'asc' ? 'seq >= ?' : 'seq < ?'",
    test: log,
    named: 'a reader that goes on from the last event sees each once while two services write',
    guarantee: 'A page begins after its cursor.',
  },
  {
    id: 'EL02',
    file: 'services/webhooks/src/fanout/log-events.ts',
    replaced: 'on conflict (environment, id) do nothing`;',
    by: 'on conflict (environment, id) do update set seq = excluded.seq`;',
    test: log,
    named: again,
    guarantee: 'An event keeps its place when the broker delivers it again.',
  },
  {
    id: 'EL03',
    file: 'services/webhooks/src/fanout/log-events.ts',
    replaced: 'select given.environment, given.account_id, head.seq - given.later,',
    by: 'select given.environment, given.account_id, head.seq,',
    test: log,
    named: again,
    guarantee: 'No two events of an account have the same place.',
  },
  {
    id: 'EL04',
    file: 'services/webhooks/src/event-log/replay-events.ts',
    replaced: 'where earlier.endpoint_id = r.endpoint_id and earlier.id < r.id and',
    by: 'where earlier.endpoint_id = r.endpoint_id and earlier.id > r.id and',
    test: replay,
    named: 'a replay sends what was never given and is subscribed to, and nothing the second time',
    guarantee: 'Two replays that are asked for at once give each event once.',
  },
  {
    id: 'EL05',
    file: 'services/webhooks/src/event-log/read-events.ts',
    replaced: 'from event_log\n      where environment = $1 and account_id = $2 and id = $3`,',
    by: 'from event_log\n      where $1::text is not null and $2::text is not null and id = $3`,',
    test: replay,
    named: 'no event or endpoint of another account or environment is delivered or replayed',
    guarantee: 'An event is read and delivered by its own account alone.',
  },
];

/** Streams of it, in the gateway. */
export const eventStreams: readonly Mutant[] = [
  {
    id: 'EL10',
    file: 'services/api-gateway/src/event-streams/waking-stream.ts',
    replaced: 'super({ highWaterMark: 0 });',
    by: 'super({ highWaterMark: 1_000_000_000 });',
    test: stream,
    named: 'a reader that stops reading holds no more than a page, is cut, and goes on after what it has received',
    guarantee: 'A reader that does not keep up takes no memory of the gateway but a page.',
  },
  {
    id: 'EL11',
    file: 'services/api-gateway/src/http/endpoint.ts',
    replaced: 'response.setTimeout(stalledReceiverMs, () => response.destroy());',
    by: '',
    test: stream,
    named: 'a reader that stops reading holds no more than a page, is cut, and goes on after what it has received',
    guarantee: 'A reader that stops reading does not keep its stream.',
  },
  {
    id: 'EL12',
    file: 'services/api-gateway/src/event-streams/log-pages.ts',
    replaced: 'seen: seen ?? cursor,',
    by: 'seen: seen ?? undefined,',
    test: stream,
    named: 'a filtered stream goes on from what it has looked at, not from what it has shown',
    guarantee: 'A stream that has found nothing stays where it is.',
  },
  {
    id: 'EL13',
    file: 'services/api-gateway/src/event-streams/event-streams.ts',
    replaced: 'if (!key?.allowlist.allows(address)) stream.end();',
    by: 'if (!key?.allowlist.allows(address) && key === undefined) stream.end();',
    test: stream,
    named: 'a stream ends within a second of an allowlist that leaves its reader out, and those of others go on',
    guarantee: 'An address that is no longer allowed reads nothing more.',
  },
  {
    id: 'EL14',
    file: 'services/api-gateway/src/event-streams/places.ts',
    replaced: 'if ((this.#held.get(holder) ?? 0) < max) continue;',
    by: 'if ((this.#held.get(holder) ?? 0) <= max) continue;',
    test: stream,
    named: 'the sixth stream of a key is 429 with Retry-After, and a place is free once a reader has left',
    guarantee: 'A key has a bounded number of streams.',
  },
  {
    id: 'EL15',
    file: 'services/api-gateway/src/merchant/event-stream.ts',
    replaced: 'if (lastEventId === undefined) return',
    by: "if (lastEventId === undefined || !isId('event', lastEventId)) return",
    test: stream,
    named: 'is refused: nobody skips events without knowing',
    guarantee: 'A reader whose last event is not understood is not begun anew in silence.',
  },
  {
    id: 'SE08',
    file: 'services/webhooks/src/deliveries/pending-limit.ts',
    replaced: 'if (rows.length >= pendingMax) throw',
    by: 'if (rows.length > 1_000) throw',
    test: replay,
    named: 'an account counts one replay at a time and has five at most that are not done, without a place for others',
    guarantee: 'One account does not keep the replays of others waiting.',
  },
];
