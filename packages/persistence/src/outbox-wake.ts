import { EventEmitter } from 'node:events';

/** One row of the table `outbox`, its JSON in text. */
export interface OutboxRow {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
  readonly trace: string;
}

/** What was committed: with its rows, the relay of that database need not read them again. */
export interface Committed {
  /** The database the rows are in; undefined, with no rows, when the relay has to read the tables. */
  readonly database: object | undefined;
  readonly rows: readonly OutboxRow[];
}

/** Wakes the relays of this process when rows were committed. A lost signal costs time, no message. */
export const outboxWake = new EventEmitter<{ committed: [Committed] }>();
