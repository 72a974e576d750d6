import { hash } from 'node:crypto';
import { newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';

export interface DeadLetter {
  readonly consumer: string;
  readonly stream: string;
  readonly streamSequence: number;
  readonly subject: string;
  /** As it came: whatever it is, PostgreSQL keeps bytes. */
  readonly payload: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string;
  readonly deliveries: number;
}

/** What is kept of a message that cannot be kept whole: enough to recognise it, not to retry it. */
const keptBytes = 256;
/** A reason may quote the message; more of it is of no use to operators. */
const reasonLengthMax = 8_192;
/** SQLSTATE classes of what lies in the values themselves: data exceptions, and values beyond the server's limits. */
const contentFaults = /^(22|54)/;

/**
 * Stores a message that could not be handled, with the reason, so that an operator can look at it and retry it. No
 * content of a message makes this fail.
 */
export async function storeDeadLetter(database: Database, letter: DeadLetter): Promise<void> {
  try {
    await insert(database, letter);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (typeof code !== 'string' || !contentFaults.test(code)) throw error;
    await storeDeadLetterInPart(database, { ...letter, reason: `${letter.reason} (kept in part: ${code})` });
  }
}

/** Keeps the first bytes of a message, its length and its SHA-256; it can be discarded and not be retried. */
export async function storeDeadLetterInPart(database: Database, letter: DeadLetter): Promise<void> {
  const { payload, subject, reason } = letter;
  const part = {
    ...letter,
    payload: payload.subarray(0, keptBytes),
    headers: {},
    subject: ascii(subject),
    reason: ascii(reason),
  };
  await insert(database, part, { bytes: payload.length, sha256: hash('sha256', payload, 'buffer') });
}

async function insert(
  database: Database,
  letter: DeadLetter,
  whole: { readonly bytes: number; readonly sha256: Buffer } | null = null,
): Promise<void> {
  await database.query(
    `insert into dead_letter
       (id, consumer, stream, stream_sequence, subject, payload, headers, reason, deliveries, whole_bytes, whole_sha256)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict do nothing`,
    [
      newId('deadLetter'),
      letter.consumer,
      letter.stream,
      letter.streamSequence,
      withoutNul(letter.subject),
      bytesOf(letter.payload),
      Buffer.from(JSON.stringify(letter.headers)),
      withoutNul(letter.reason.slice(0, reasonLengthMax)),
      letter.deliveries,
      whole?.bytes ?? null,
      whole?.sha256 ?? null,
    ],
  );
}

function bytesOf(payload: Uint8Array): Buffer {
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
}

/** PostgreSQL's text holds every character but this one. */
export function withoutNul(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\\u0000');
}

function ascii(text: string): string {
  return text.slice(0, keptBytes).replaceAll(/[^ -~]/g, '?');
}
