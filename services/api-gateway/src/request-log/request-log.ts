import type { Caller } from '@gateway/contracts/accounts';
import type { ApiVersion } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { counter, level, startLoop, type Logger } from '@gateway/runtime';
import { LogQuota } from '#src/request-log/log-quota.ts';
import { keepPartitions } from '#src/request-log/partitions.ts';
import { bodyBytesMax, readBytesMax, redacted, scrubbedText } from '#src/request-log/redact.ts';

const writeIntervalMs = 500;
const partitionIntervalMs = 3_600_000;
/** Redacted and written together: a turn of the event loop is some milliseconds long. */
const batchMax = 100;
/** What waits to be written, in requests and in bytes of their bodies: what comes beyond is not logged. */
const waitingMax = 5_000;
const waitingBytesMax = 16 * 1_024 * 1_024;
/** Of both, what one account may have waiting: a quarter. */
const shareOfOne = 4;
/** A row without its bodies, about. */
const rowBytes = 1_024;
const textCharactersMax = 200;

const dropped = counter(
  'gateway_request_log_dropped_total',
  'Requests that were not logged: too many waited, of all or of one account, or could not be written',
  ['reason'],
);
for (const reason of ['full', 'quota', 'unwritten']) dropped.add(0, { reason });
const waiting = level('gateway_request_log_waiting', 'Requests that wait to be logged');

/** A request of a merchant that was answered, as it came and went. */
export interface SeenRequest {
  readonly caller: Pick<Caller, 'environment' | 'publicKey'> & { readonly account: { readonly id: string } };
  readonly requestId: string;
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly status: number;
  readonly elapsedMs: number;
  readonly address: string;
  readonly apiVersion: ApiVersion | null;
  readonly userAgent: string | undefined;
  /** As it was parsed. */
  readonly body: unknown;
  readonly bodyBytes: number;
  /** As it was sent; undefined of a stream. */
  readonly answer: string | undefined;
  readonly atMs: number;
}

/** What of one account waits to be written. */
interface Waiting {
  readonly count: number;
  readonly bytes: number;
}

/**
 * Keeps what was asked and answered: of live keys what failed, of test keys all. A request waits for nothing of it: what it
 * was is put into a queue, and is redacted and written later, many in one statement.
 */
export class RequestLog implements AsyncDisposable {
  readonly #database: Database;
  readonly #loops = new AsyncDisposableStack();
  readonly #waiting: SeenRequest[] = [];
  readonly #quota = new LogQuota();
  readonly #waitingOf = new Map<string, Waiting>();
  #bytes = 0;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Opens also without the partitions of today, which are tried for again: no request waits for a log. */
  static async open(database: Database, logger: Logger): Promise<RequestLog> {
    const keep = async () => await keepPartitions(database, new Date());
    await keep().catch((error: unknown) => logger.error({ err: error }, 'days of requests not made'));
    const log = new RequestLog(database);
    const write = async () => await log.write();
    log.#loops.use(startLoop({ name: 'keep days of requests', intervalMs: partitionIntervalMs, logger, work: keep }));
    log.#loops.use(startLoop({ name: 'log requests', intervalMs: writeIntervalMs, logger, work: write }));
    return log;
  }

  /** Live money that succeeds is in its records, and is the most of all requests. */
  wants({ environment }: Pick<Caller, 'environment'>, status: number): boolean {
    return environment === 'test' || status >= 400;
  }

  /** Puts a request into the queue, unless the queue is full, or its account has its part of it or of the log already. */
  note(request: SeenRequest): void {
    const bytes = bytesOf(request);
    const { environment, account } = request.caller;
    const own = this.#waitingOf.get(account.id) ?? { count: 0, bytes: 0 };
    if (this.#waiting.length >= waitingMax || this.#bytes + bytes > waitingBytesMax) {
      return dropped.add(1, { reason: 'full' });
    }
    const hasShare = own.count >= waitingMax / shareOfOne || own.bytes + bytes > waitingBytesMax / shareOfOne;
    const counted = { accountId: account.id, environment, status: request.status, bytes: keptBytesOf(request) };
    if (hasShare || !this.#quota.take(counted, performance.now())) return dropped.add(1, { reason: 'quota' });
    this.#waiting.push(request);
    this.#count(request, 1);
  }

  #count(request: SeenRequest, sign: 1 | -1): void {
    const bytes = sign * bytesOf(request);
    const { id } = request.caller.account;
    const own = this.#waitingOf.get(id) ?? { count: 0, bytes: 0 };
    this.#bytes += bytes;
    if (own.count + sign === 0) this.#waitingOf.delete(id);
    else this.#waitingOf.set(id, { count: own.count + sign, bytes: own.bytes + bytes });
  }

  /** Writes a batch. Answers true when there is more. What cannot be written is lost and counted: it is a log. */
  async write(): Promise<boolean> {
    waiting.set(this.#waiting.length);
    const batch = this.#waiting.splice(0, batchMax);
    if (batch.length === 0) return false;
    for (const request of batch) this.#count(request, -1);
    try {
      await this.#database.query(insertSql, [JSON.stringify(batch.flatMap(rowsOf))]);
    } catch (error) {
      dropped.add(batch.length, { reason: 'unwritten' });
      throw error;
    }
    return this.#waiting.length > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loops.disposeAsync();
    while (await this.write().catch(() => false));
  }
}

function bytesOf({ bodyBytes, answer }: SeenRequest): number {
  return bodyBytes + (answer?.length ?? 0);
}

/** What its row takes, about: a body that is too large is not kept. */
function keptBytesOf({ bodyBytes, answer }: SeenRequest): number {
  const kept = [bodyBytes, answer?.length ?? 0].filter((bytes) => bytes <= bodyBytesMax);
  return kept.reduce((sum, bytes) => sum + bytes, rowBytes);
}

const columns = `id text, environment text, account_id text, public_key text, request_id text, method text, path text,
  query jsonb, status int, code text, elapsed_ms float8, address text, api_version text, user_agent text, request jsonb,
  response jsonb`;

const insertSql = `insert into request_log select * from jsonb_to_recordset($1::jsonb) as r (${columns})`;

/** None of a request that cannot be redacted, such as one whose body is nested too deep: the others are written. */
function rowsOf(seen: SeenRequest): object[] {
  try {
    return [rowOf(seen)];
  } catch {
    dropped.add(1, { reason: 'unwritten' });
    return [];
  }
}

function rowOf(seen: SeenRequest): object {
  const { caller, requestId, atMs } = seen;
  const [path = '', query = ''] = seen.url.split('?', 2);
  const answer = answerOf(seen);
  return {
    // Its own, since callers name their requests as they like; its time decides in which day it stands.
    id: newId('request', atMs),
    environment: caller.environment,
    account_id: caller.account.id,
    public_key: caller.publicKey,
    request_id: requestId,
    method: seen.method,
    path: cut(scrubbedText(path)),
    query: parsed(redacted(membersOf(query))),
    status: seen.status,
    code: codeIn(answer),
    elapsed_ms: Math.round(seen.elapsedMs * 10) / 10,
    address: seen.address,
    api_version: seen.apiVersion,
    user_agent: seen.userAgent === undefined ? null : cut(scrubbedText(seen.userAgent)),
    request: parsed(redacted(seen.body)),
    response: parsed(redacted(answer)),
  };
}

function membersOf(query: string): object | null {
  return query === '' ? null : Object.fromEntries(new URLSearchParams(query));
}

/** What was answered as JSON; null of anything else, and of what is too long to be read again. */
function answerOf({ answer }: SeenRequest): unknown {
  if (answer === undefined || answer === '' || answer.length > readBytesMax) return null;
  return parsed(answer);
}

function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function codeIn(answer: unknown): string | null {
  const { error } = (answer ?? {}) as { readonly error?: { readonly code?: unknown } };
  return typeof error?.code === 'string' ? error.code : null;
}

function cut(text: string): string {
  return text.slice(0, textCharactersMax);
}
