import { type Command, textFlags } from '../command/command.ts';
import { followed, watchedGateway } from '../listening/follow.ts';
import { beginningOptions, startOf } from '../listening/start.ts';
import { explained } from '../operations/failures.ts';
import { eventsOption } from './listen.ts';

export const eventCommands: readonly Command[] = [
  {
    words: ['events', 'tail'],
    ids: [],
    group: 'Webhooks on this machine',
    summary: 'Prints events as they happen, and forwards nothing',
    details: 'It begins now and keeps no place.',
    options: { events: eventsOption, ...beginningOptions },
    run: async ({ session, flags }) => {
      const { output, signal } = session;
      const events = textFlags(flags, 'events').flatMap((each) => each.split(','));
      try {
        const after = await startOf(session, flags, undefined);
        for await (const event of followed({ gateway: watchedGateway(session), after, events, signal })) {
          if (output.form === 'table') output.line(`${event.id}  ${event.event.padEnd(22)}  ${event.data_id}`);
          else output.line(output.form === 'quiet' ? event.id : JSON.stringify(event));
        }
      } catch (error) {
        throw explained(error, { method: 'GET', path: '/v1/events/stream' }, session.connection.base_url);
      }
    },
  },
];
