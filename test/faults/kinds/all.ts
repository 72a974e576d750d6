import { brokerKilled, brokerRestarted } from './broker-away.ts';
import { brokerLost, brokerRolledBack } from './broker-data.ts';
import { brokerDiskFull } from './broker-disk-full.ts';
import { brokerLostUnread } from './broker-lost-unread.ts';
import { clockOff } from './clock-off.ts';
import { databaseRestarted } from './database-restarted.ts';
import type { Fault } from './fault.ts';
import { freeze } from './freeze.ts';
import { kill } from './kill.ts';
import { lateReturn } from './late-return.ts';
import { lyingProvider } from './lying-provider.ts';
import { cutFromBroker, cutFromDatabase } from './network-cut.ts';
import { pollerFlood } from './poller-flood.ts';

export const faults: readonly Fault[] = [
  kill,
  freeze,
  brokerKilled,
  brokerRestarted,
  brokerRolledBack,
  brokerLost,
  brokerLostUnread,
  brokerDiskFull,
  databaseRestarted,
  cutFromBroker,
  cutFromDatabase,
  clockOff,
  lyingProvider,
  pollerFlood,
  lateReturn,
];
