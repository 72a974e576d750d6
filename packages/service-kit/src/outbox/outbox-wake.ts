import { EventEmitter } from 'node:events';

/** Tells the relay of this process that something was committed. A lost signal costs a polling interval, no message. */
export const outboxWake = new EventEmitter<{ committed: [] }>();
