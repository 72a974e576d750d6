import { newId } from '@gateway/contracts';
import type { Database } from '#src/database/database.ts';

export interface DeadLetter {
  readonly consumer: string;
  readonly stream: string;
  readonly streamSequence: number;
  readonly subject: string;
  readonly payload: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string;
  readonly deliveries: number;
}

/** Keeps a message nobody could handle, with the reason, for an operator to look at and retry. */
export async function setAside(database: Database, letter: DeadLetter): Promise<void> {
  await database.query(
    `insert into dead_letter
       (id, consumer, stream, stream_sequence, subject, payload, headers, reason, deliveries)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict do nothing`,
    [
      newId('deadLetter'),
      letter.consumer,
      letter.stream,
      letter.streamSequence,
      letter.subject,
      letter.payload,
      JSON.stringify(letter.headers),
      letter.reason,
      letter.deliveries,
    ],
  );
}
