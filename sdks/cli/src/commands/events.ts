import { type Command, textFlag, textFlags } from '../command/command.ts';
import { exactly, UsageError } from '../faults/errors.ts';
import { operations } from '../generated/operations.ts';
import { followed, watchedGateway } from '../listening/follow.ts';
import { beginningOptions, startOf } from '../listening/start.ts';
import { callOperation } from '../operations/call.ts';
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
        const gateway = watchedGateway(session);
        const after = await startOf({ gateway, signal }, flags, undefined);
        for await (const event of followed({ gateway, after, events, signal })) {
          if (output.form === 'table') output.line(`${event.id}  ${event.event.padEnd(22)}  ${event.data_id}`);
          else output.line(output.form === 'quiet' ? event.id : JSON.stringify(event));
        }
      } catch (error) {
        throw explained(error, { method: 'GET', path: '/v1/events/stream' }, session.connection.base_url);
      }
    },
  },
  {
    words: ['events', 'resend'],
    ids: ['id'],
    group: 'Webhooks on this machine',
    summary: 'Sends an event of the log to a webhook, also one that has had it or that is newer',
    details: '`events deliver` by another name.',
    options: { webhook: { type: 'string', hint: 'whk_…', about: 'The webhook, of `gateway webhooks list`.' } },
    examples: ['gateway events resend evt_… --webhook whk_…'],
    run: async ({ session, ids, flags }) => {
      exactly(ids, 1);
      const webhook = textFlag(flags, 'webhook');
      if (webhook === undefined) throw new UsageError('--webhook is needed: the id of the webhook that gets the event');
      const given = { ...flags, 'webhook-id': webhook };
      await callOperation(session, { id: 'deliverEvent', operation: operations.deliverEvent, ids, flags: given });
    },
  },
];
