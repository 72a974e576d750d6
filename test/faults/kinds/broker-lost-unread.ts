import { setTimeout as pass } from 'node:timers/promises';
import { namesOf, nodeOf, type Fault } from './fault.ts';

/**
 * A service stands still while the others go on; then NATS comes back with an empty disk: what was published to the
 * service is gone before it was read.
 */
export const brokerLostUnread: Fault = {
  name: 'broker data lost unread',
  // In a cluster the two other nodes still have it all.
  victims: ({ topology }) => (topology === 'cluster' ? [] : ['webhooks', 'deposits', 'payouts', 'ledger']),
  strike: async ({ stage, victim, durationMs }) => {
    const [name] = namesOf(stage.broker);
    const node = nodeOf(stage, name!);
    stage.stack.process(victim).kill('SIGSTOP');
    try {
      await pass(durationMs);
      await node.stop('crash');
      node.loseData();
      await node.start();
    } finally {
      stage.stack.process(victim).kill('SIGCONT');
    }
  },
};
