import { setTimeout as pass } from 'node:timers/promises';
import { namesOf, nodeOf, type Fault } from './fault.ts';

function brokerAway(name: string, how: 'orderly' | 'crash'): Fault {
  return {
    name,
    victims: ({ broker }) => namesOf(broker),
    strike: async ({ stage, victim, durationMs }) => {
      const node = nodeOf(stage, victim);
      await node.stop(how);
      await pass(durationMs);
      await node.start();
    },
  };
}

/** NATS is killed and comes back with what it had on its disk. */
export const brokerKilled = brokerAway('broker killed', 'crash');

/** NATS is restarted in good order. */
export const brokerRestarted = brokerAway('broker restarted', 'orderly');
