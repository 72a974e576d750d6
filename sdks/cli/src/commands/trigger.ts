import { setTimeout as pause } from 'node:timers/promises';
import type { EventName } from '@gateway/sdk/webhooks';
import { type Command, textFlags } from '../command/command.ts';
import type { Session } from '../calls/session.ts';
import { ExpectationError, exactly, UsageError } from '../faults/errors.ts';
import { bodyOf } from '../operations/body.ts';
import { explained } from '../operations/failures.ts';
import { eventNames, recipes } from '../triggers/recipes.ts';

const pollMs = 200;
const eventWaitMs = 30_000;

export const triggerCommand: Command = {
  words: ['trigger'],
  ids: ['event'],
  group: 'Webhooks on this machine',
  summary: 'Makes an event really happen, by calls of test mode',
  details: 'The answer names the event in the log and every record that was made. Test keys alone.',
  options: {
    override: {
      type: 'string',
      multiple: true,
      hint: 'MEMBER=VALUE',
      about: 'A member of the record that the event is about, such as amount_cents=500. Repeatable.',
    },
  },
  examples: ['gateway trigger deposit.paid', 'gateway trigger payout.returned --override amount_cents=500'],
  choices: eventNames,
  run: async ({ session, ids, flags }) => {
    const [given] = exactly(ids, 1);
    const name = eventNames.find((each) => each === given);
    if (name === undefined) throw new UsageError(`there is no event ${given}: ${eventNames.join(', ')}`);
    session.requireTestKey('trigger');
    const overrides = bodyOf([], { set: textFlags(flags, 'override') }, session.contract);
    try {
      session.output.record(await triggered(session, name, overrides));
    } catch (error) {
      throw explained(error, { method: 'GET', path: '/v1/events' }, session.connection.base_url);
    }
  },
};

/** Makes an event happen. @returns it as the log has it, with the ids of what was made */
async function triggered(session: Session, name: EventName, overrides: Readonly<Record<string, unknown>>) {
  const [gateway, beta] = [session.gateway('0.1'), session.gateway('1.0')];
  const { about, ids } = await recipes[name]({ gateway, beta, overrides });
  const until = Date.now() + eventWaitMs;
  for (;;) {
    const { data } = await gateway.events.list({ data_id: about, event: [name], limit: 1 }, { signal: session.signal });
    const [event] = data;
    if (event !== undefined) return { id: event.id, event: name, data_id: about, made: ids };
    if (Date.now() > until)
      throw new ExpectationError(`${name} about ${about} is not in the log after ${eventWaitMs / 1_000} s`);
    await pause(pollMs, undefined, { signal: session.signal });
  }
}
