import { setTimeout as pass } from 'node:timers/promises';
import { namesOf, nodeOf, type Fault } from './fault.ts';

/** The disk of NATS is full to the last byte. Its operator makes room, and restarts it as the runbook says. */
export const brokerDiskFull: Fault = {
  name: 'broker disk full',
  victims: ({ brokerDisk, broker }) => (brokerDisk === undefined ? [] : namesOf(broker)),
  strike: async ({ stage, victim, durationMs }) => {
    stage.brokerDisk!.fill();
    await pass(durationMs);
    stage.brokerDisk!.makeRoom();
    const node = nodeOf(stage, victim);
    await node.stop('orderly');
    await node.start();
  },
};
