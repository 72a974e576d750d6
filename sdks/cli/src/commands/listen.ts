import { type Command, textFlag, textFlags } from '../command/command.ts';
import type { Session } from '../calls/session.ts';
import { UsageError } from '../faults/errors.ts';
import { followed, type Followed, type LoggedEvent, watchedGateway } from '../listening/follow.ts';
import { type Forwarded, forwarded, type Receiver } from '../listening/forward.ts';
import { onKeys } from '../listening/keys.ts';
import { Place } from '../listening/place.ts';
import { startOf, beginningOptions } from '../listening/start.ts';
import { explained } from '../operations/failures.ts';
import { signingSecretOf } from '../settings/signing-secret.ts';
import { eventNames } from '../triggers/recipes.ts';

const kinds = [...new Set(eventNames.map((name) => `${name.split('.')[0] ?? ''}.*`))];

export const eventsOption = {
  type: 'string',
  multiple: true,
  short: 'e',
  values: [...kinds, ...eventNames],
  hint: 'NAME',
  about: 'These events alone: a name, or a kind such as `payout.*`. Repeatable.',
} as const;

export const listenCommand: Command = {
  words: ['listen'],
  ids: [],
  group: 'Webhooks on this machine',
  summary: 'Forwards events to an address of yours as they happen, signed as the gateway signs',
  details:
    'It reads the event log, so nothing has to be registered and no address has to be public. The last event that your ' +
    'receiver has answered is kept on disk for the key and the filter: after Ctrl-C, a crash, sleep or loss of the network ' +
    'it goes on there, in order, each event at least once. r sends the last one again, q ends it.',
  options: {
    'forward-to': { type: 'string', short: 'f', hint: 'URL', about: 'Your receiver.' },
    events: eventsOption,
    ...beginningOptions,
    header: { type: 'string', multiple: true, short: 'H', hint: 'NAME:VALUE', about: 'Sent besides. Repeatable.' },
    'print-secret': { type: 'boolean', about: 'Prints the whsec_… it signs with, and ends.' },
    save: {
      type: 'string',
      hint: 'FOLDER',
      about: 'Keeps body and headers of each event there, for `gateway verify`.',
    },
  },
  examples: [
    'gateway listen --forward-to http://127.0.0.1:4000/hooks',
    "gateway listen -f http://127.0.0.1:4000/hooks -e 'payout.*' --since 1h",
    'export WEBHOOK_SECRET=$(gateway listen --print-secret)',
  ],
  run: async ({ session, flags }) => {
    const secret = signingSecretOf({ profile: textFlag(flags, 'profile') }, session.variables);
    if (flags['print-secret'] === true) return session.output.line(secret);
    const ended = new AbortController();
    const signal = AbortSignal.any([session.signal, ended.signal]);
    const receiver: Receiver = {
      url: addressOf(textFlag(flags, 'forward-to')),
      secret,
      headers: headersOf(textFlags(flags, 'header')),
      folder: textFlag(flags, 'save'),
      signal,
      onUnreachable: (url) => session.output.talk(`${url} does not take connections: waiting for it`),
    };
    const events = textFlags(flags, 'events').flatMap((each) => each.split(','));
    using place = new Place(session.variables, session.connection.public_key, events);
    try {
      const gateway = watchedGateway(session);
      const after = await startOf({ gateway, signal }, flags, place.read());
      place.keep(after);
      const onPlace = (id: string) => place.keep(id);
      await forwardAll(session, { gateway, receiver, events, place, after, signal, onPlace, end: () => ended.abort() });
    } catch (error) {
      if (ended.signal.aborted) return;
      throw explained(error, { method: 'GET', path: '/v1/events/stream' }, session.connection.base_url);
    }
  },
};

interface Listening extends Followed {
  readonly receiver: Receiver;
  readonly place: Place;
  readonly end: () => void;
}

/** Forwards one event after the other. The place is kept after the answer: a crash in between sends an event again. */
async function forwardAll(session: Session, listening: Listening): Promise<void> {
  const { receiver, events, place, end } = listening;
  const { output, connection } = session;
  output.talk(
    `forwarding ${events.length === 0 ? 'every event' : events.join(', ')} of ${connection.base_url} to ${receiver.url}`,
  );
  output.talk('signed with the secret that `gateway listen --print-secret` shows');
  const state: { last: LoggedEvent | undefined } = { last: undefined };
  const resend = () => {
    if (state.last !== undefined) void forwardOne(session, state.last, receiver).catch(() => undefined);
  };
  const giveBackKeys = onKeys(output.streams.stdin, { r: resend, q: end });
  try {
    for await (const event of followed(listening)) {
      await forwardOne(session, event, receiver);
      place.keep(event.id);
      state.last = event;
    }
  } finally {
    giveBackKeys();
  }
}

async function forwardOne({ output }: Session, event: LoggedEvent, receiver: Receiver): Promise<void> {
  const result = await forwarded(event, receiver);
  if (output.form === 'quiet') output.line(event.id);
  else if (output.form === 'table') output.line(lineOf(event, result, output.paint));
  else output.line(JSON.stringify({ id: event.id, event: event.event, data_id: event.data_id, ...result }));
}

function lineOf(
  { id, event }: LoggedEvent,
  { status, ms, attempts }: Forwarded,
  paint: Session['output']['paint'],
): string {
  const isDelivered = status !== null && status >= 200 && status < 300;
  const shown = status === null ? 'no answer' : String(status);
  const tried = attempts === 1 ? '' : paint.dim(`  ${attempts} attempts`);
  const time = new Date().toTimeString().slice(0, 8);
  return `${paint.dim(time)}  ${event.padEnd(22)}  ${id}  ${(isDelivered ? paint.green : paint.red)(shown)}  ${ms} ms${tried}`;
}

function addressOf(url: string | undefined): string {
  if (url === undefined) throw new UsageError('--forward-to is needed: the address of your receiver');
  if (!/^https?:\/\/[^/\s]+/.test(url))
    throw new UsageError('--forward-to is an address such as http://127.0.0.1:4000/hooks');
  return url;
}

function headersOf(given: readonly string[]): Record<string, string> {
  const pairs = given.map((each) => /^([A-Za-z0-9-]+):\s*(.*)$/.exec(each));
  return Object.fromEntries(
    pairs.map((pair): [string, string] => {
      if (pair === null) throw new UsageError('--header is typed --header "name: value"');
      return [(pair[1] ?? '').toLowerCase(), pair[2] ?? ''];
    }),
  );
}
