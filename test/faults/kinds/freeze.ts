import { setTimeout as pass } from 'node:timers/promises';
import { namesOf, nodeOf, type Fault } from './fault.ts';

/** A process is stopped (SIGSTOP) and goes on later as if nothing had been: a long pause, a suspended machine. */
export const freeze: Fault = {
  name: 'freeze',
  victims: ({ services, broker }) => [...services, ...namesOf(broker)],
  strike: async ({ stage, victim, durationMs }) => {
    const isService = stage.services.includes(victim);
    const send = (signal: NodeJS.Signals) =>
      isService ? stage.stack.process(victim).kill(signal) : nodeOf(stage, victim).signal(signal);
    send('SIGSTOP');
    try {
      await pass(durationMs);
    } finally {
      send('SIGCONT');
    }
  },
};
