import { namesOf, nodeOf, type Fault } from './fault.ts';

/** NATS comes back with the data of before the load: a backup, or a disk that lied about its writes. */
export const brokerRolledBack: Fault = {
  name: 'broker rolled back',
  // A node of a cluster is never given old data: its copies are made by the others.
  victims: ({ topology, broker }) => (topology === 'cluster' ? [] : namesOf(broker)),
  prepare: async (stage, victim) => {
    const node = nodeOf(stage, victim);
    await node.stop('orderly');
    node.keepCopy();
    await node.start();
    await stage.ready();
  },
  strike: async ({ stage, victim }) => {
    const node = nodeOf(stage, victim);
    await node.stop('crash');
    node.rollBack();
    node.loseCopy();
    await node.start();
  },
};

/** NATS comes back with an empty disk. */
export const brokerLost: Fault = {
  name: 'broker data lost',
  victims: ({ broker }) => namesOf(broker),
  strike: async ({ stage, victim }) => {
    const node = nodeOf(stage, victim);
    await node.stop('crash');
    node.loseData();
    await node.start();
  },
};
