import type { Client } from 'pg';
import { ledgerCommand, type LedgerCommand, type LedgerResult } from '@gateway/contracts/ledger';
import type { Database } from '@gateway/persistence';
import { createTestDatabase } from '@gateway/test-kit';
import type { Append } from '#src/chapters/close-chapter.ts';
import type { IncomingMessage } from '#src/consumer/incoming-message.ts';
import { parseCommand } from '#src/consumer/parse-command.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { ensurePartitions } from '#src/postgres/partitions.ts';
import { BatchWriter } from '#src/writer/batch-writer.ts';
import { PendingLinks } from '#src/writer/pending-links.ts';
import { openSession } from '#src/writer/session.ts';
import { acquireShard } from '#src/writer/shard-lease.ts';
import { WriterClock } from '#src/writer/writer-clock.ts';

/** For tests with a time of their own. */
export const anyDifferenceMs = 2 ** 52;

/** A writer's session that the server does not end while a test is busy elsewhere. */
export async function openPatientSession(url: string): Promise<Client> {
  const session = await openSession(url);
  await session.query('set idle_session_timeout = 0');
  return session;
}

/** A writer on a real database, fed by hand instead of by the stream: the test decides what is in a batch, and when. */
export interface DirectLedger extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
  readonly session: Client;
  /** Decides the commands as one batch. */
  readonly write: (...commands: LedgerCommand[]) => Promise<LedgerResult[]>;
  /** Appends a link between two batches. */
  readonly append: Append;
  /** A new writer takes the shard and knows what is committed, nothing else. */
  readonly restart: () => Promise<void>;
}

export function messageOf(command: LedgerCommand, sequence: number): IncomingMessage {
  const text = JSON.stringify(command);
  const subject = ledgerCommand.subjectFor(command);
  return {
    text,
    parsed: parseCommand({ text, environment: 'test', subject, repeatedFrom: undefined }),
    subject,
    position: { sequence, timeMs: 1_000_000 + sequence },
    replyTo: undefined,
    trace: {},
  };
}

const refuseDeadLetter = (): void => {
  throw new Error('a test command was set aside');
};

/** @param onDeadLetter called with the reason for which a command was set aside; without it that is an error */
export async function startDirectLedger(
  now: () => number = () => Date.now(),
  onDeadLetter: (reason: string) => void = refuseDeadLetter,
): Promise<DirectLedger> {
  await using stack = new AsyncDisposableStack();
  const { url, database } = stack.use(await createTestDatabase('ledger', { migrations }));
  await ensurePartitions((script) => database.pool.query(script), now());
  const session = stack.adopt(await openPatientSession(url), async (open) => await open.end());
  const shard = { environment: 'test', shard: 0 };
  const clock = new WriterClock({ now, limitMs: anyDifferenceMs });
  const deadLetter = async (_message: IncomingMessage, reason: string) => onDeadLetter(reason);
  const begin = async () => {
    const lease = await acquireShard(session, shard, new AbortController().signal);
    return { writer: new BatchWriter({ session, lookUpSession: session, shard, lease, clock, deadLetter }), lease };
  };
  let { writer, lease } = await begin();
  let sequence = lease.position.sequence;
  const restart = async () => void ({ writer, lease } = await begin());
  const write = async (...commands: LedgerCommand[]) => {
    const answers = await writer.write(commands.map((command) => messageOf(command, ++sequence)));
    return answers.map((answer) => answer.result);
  };
  const append: Append = async (statement) => {
    const links = new PendingLinks();
    links.open();
    const appended = links.append(statement);
    await links.write(session, writer);
    return await appended;
  };
  const owned = stack.move();
  return { url, database, session, write, append, restart, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
