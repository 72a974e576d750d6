import { deadLetterRpcs, type DeadLetter as DeadLetterRecord } from '@gateway/contracts/broker';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf, ServiceName } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';
import { withoutNul } from '#src/consumer/dead-letter.ts';
import { retryDeadLetter } from '#src/consumer/retry-dead-letter.ts';
import { shownBytes } from '#src/consumer/shown-bytes.ts';
import { answering, type RpcRoute } from '#src/rpc/serve-rpc.ts';

type Rpcs = ReturnType<typeof deadLetterRpcs>;

interface Row {
  readonly id: string;
  readonly consumer: string;
  readonly stream: string;
  readonly stream_sequence: number;
  readonly subject: string;
  readonly payload: Buffer;
  /** JSON */
  readonly headers: Buffer;
  readonly reason: string;
  readonly deliveries: number;
  readonly created_at: Date;
  readonly retried_at: Date | null;
  readonly discarded_at: Date | null;
  readonly decided_by: string | null;
  /** Of a message that is kept in part: how long it was. */
  readonly whole_bytes: number | null;
}

/** The rows of every service's rpc table that let operators decide what becomes of its dead letters. */
export function deadLetterRoutes(database: Database, service: ServiceName): readonly RpcRoute[] {
  const rpcs = deadLetterRpcs(service);
  const shown = (row: Row) => recordOf(row, service);
  return [
    answering(rpcs.list, (request) => list(database, request, shown)),
    answering(rpcs.open, async ({ id }) => {
      const row = await find(database, id);
      return { deadLetter: { ...shown(row), payload: shownBytes(row.payload), headers: headersOf(row) } };
    }),
    answering(rpcs.retry, async ({ id, operator }) => {
      const before = await findWaiting(database, id);
      if (before.whole_bytes !== null) throw keptInPart(before.whole_bytes);
      const letter = { ...before, streamSequence: before.stream_sequence, headers: headersOf(before) };
      const reason = await retryDeadLetter(database, letter);
      const after = reason === undefined ? await end(database, id, 'retried_at', operator) : undefined;
      return { before: shown(before), deadLetter: shown(after ?? (await noteFailure(database, id, reason ?? ''))) };
    }),
    answering(rpcs.discard, async ({ id, operator }) => {
      const before = await findWaiting(database, id);
      return { before: shown(before), deadLetter: shown(await end(database, id, 'discarded_at', operator)) };
    }),
  ];
}

async function list(
  database: Database,
  { limit, before, status, consumer, subject }: RequestOf<Rpcs['list']>,
  shown: (row: Row) => DeadLetterRecord,
): Promise<ReplyOf<Rpcs['list']>> {
  const rows = await database.query<Row>(
    `select * from dead_letter
      where ($2::text is null or id < $2)
        and ($3::text is null or $3 = case when retried_at is not null then 'RETRIED'
                                           when discarded_at is not null then 'DISCARDED' else 'WAITING' end)
        and ($4::text is null or consumer = $4)
        and ($5::text is null or subject = $5)
      order by id desc limit $1`,
    [limit + 1, before ?? null, status ?? null, consumer ?? null, subject ?? null],
  );
  const known = before === undefined ? [] : await database.query('select 1 from dead_letter where id = $1', [before]);
  return { deadLetters: rows.slice(0, limit).map(shown), hasMore: rows.length > limit, knowsBefore: known.length > 0 };
}

async function find(database: Database, id: string): Promise<Row> {
  const [row] = await database.query<Row>('select * from dead_letter where id = $1', [id]);
  if (!row) throw new NotFoundError('dead letter');
  return row;
}

async function findWaiting(database: Database, id: string): Promise<Row> {
  const row = await find(database, id);
  if (row.retried_at ?? row.discarded_at) throw alreadyDecided(row);
  return row;
}

/** Two operators may decide at once: the first one has decided. */
async function end(
  database: Database,
  id: string,
  column: 'retried_at' | 'discarded_at',
  operator: string,
): Promise<Row> {
  const retried = column === 'retried_at' ? 1 : 0;
  const [row] = await database.query<Row>(
    `update dead_letter set ${column} = now(), decided_by = $2, deliveries = deliveries + $3
      where id = $1 and retried_at is null and discarded_at is null returning *`,
    [id, operator, retried],
  );
  if (!row) throw alreadyDecided(await find(database, id));
  return row;
}

async function noteFailure(database: Database, id: string, reason: string): Promise<Row> {
  const [row] = await database.query<Row>(
    'update dead_letter set reason = $2, deliveries = deliveries + 1 where id = $1 returning *',
    [id, withoutNul(reason)],
  );
  if (!row) throw new NotFoundError('dead letter');
  return row;
}

function headersOf({ headers }: Row): Record<string, string> {
  return JSON.parse(headers.toString()) as Record<string, string>;
}

function keptInPart(bytes: number): DomainError {
  return new DomainError('INVALID_STATE', `only the beginning of its ${bytes} bytes was kept: it can be discarded`);
}

function alreadyDecided({ retried_at: retriedAt, decided_by: decidedBy }: Row): DomainError {
  const what = retriedAt ? 'retried' : 'discarded';
  return new DomainError('INVALID_STATE', `the dead letter has been ${what} by ${decidedBy ?? 'an operator'}`);
}

function recordOf(row: Row, service: ServiceName): DeadLetterRecord {
  const decidedAt = row.retried_at ?? row.discarded_at;
  return {
    id: row.id,
    service,
    consumer: row.consumer,
    stream: row.stream,
    subject: row.subject,
    reason: row.reason,
    deliveries: row.deliveries,
    status: row.retried_at ? 'RETRIED' : row.discarded_at ? 'DISCARDED' : 'WAITING',
    createdAt: Math.floor(row.created_at.getTime() / 1_000),
    decidedAt: decidedAt && Math.floor(decidedAt.getTime() / 1_000),
    decidedBy: row.decided_by,
  };
}
