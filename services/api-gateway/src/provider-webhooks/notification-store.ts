import { createHash } from 'node:crypto';
import { DomainError } from '@gateway/contracts/errors';
import { providerNotificationSubject, type StoredNotification } from '@gateway/contracts/providers';
import { newId } from '@gateway/money';
import type { NotificationGrade, ProviderNotification } from '@gateway/providers';
import {
  insertOutboxRow,
  outboxCommitted,
  outboxRowParameters,
  type Database,
  type OutboxRow,
} from '@gateway/persistence';
import { currentTrace, gauge, startLoop, type Logger, type Loop } from '@gateway/runtime';

/** Notifications of one provider that their readers have not read; beyond, it is to repeat them later. */
const unreadMaxDefault = 10_000;
const countIntervalMs = 1_000;
/** While none was stored here since they were counted, and none was unread then. */
const countAtRestIntervalMs = 15_000;
const tidyIntervalMs = 60_000;
/** A PIX comes back within 90 days. */
const bytesKeptDays = 120;
const tidiedPerRound = 1_000;

/** The credentials of a caller are of no use to an adapter. */
const droppedHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);
/** The secret of the registered address: the proof is verified here, and readers learn its grade. */
const droppedQuery = new Set(['hmac']);

export interface NotificationStoreOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly unreadMax?: number;
}

/**
 * Keeps notifications in PostgreSQL and hands them to the outbox in the same statement: its relay publishes each until
 * its readers have read it, whatever the broker loses.
 */
export class NotificationStore implements AsyncDisposable {
  readonly #database: Database;
  readonly #unreadMax: number;
  readonly #stack = new AsyncDisposableStack();
  readonly #counting: Loop;
  #unread: ReadonlyMap<string, number> = new Map();
  /** Kept here since the last count began. */
  #sinceCounted = new Map<string, number>();
  #isAtRest = false;

  constructor({ database, logger, unreadMax = unreadMaxDefault }: NotificationStoreOptions) {
    this.#database = database;
    this.#unreadMax = unreadMax;
    const count = () => this.#count();
    this.#counting = startLoop({ name: 'unread notifications', intervalMs: countIntervalMs, logger, work: count });
    this.#stack.use(this.#counting);
    const tidy = () => this.#dropOldBytes();
    this.#stack.use(startLoop({ name: 'old notifications', intervalMs: tidyIntervalMs, logger, work: tidy }));
    const help = 'Notifications of providers that their readers have not read';
    const unread = () => Math.max(0, ...this.#unread.values());
    this.#stack.use(gauge('gateway_notifications_unread', help, unread));
  }

  /** @throws DomainError SERVICE_UNAVAILABLE when it cannot be kept, or too many wait: the provider repeats it */
  async keep(provider: string, notification: ProviderNotification, grade: NotificationGrade): Promise<void> {
    if (this.#unreadOf(provider) >= this.#unreadMax) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'too many notifications wait to be read', { retryAfterSec: 30 });
    }
    const { rawBody, headers, query, pathSuffix, remoteIp, receivedAt } = notification;
    const bytes = Buffer.from(rawBody);
    const stored: StoredNotification = {
      id: newId('event', receivedAt.getTime()),
      provider,
      receivedAt: Math.floor(receivedAt.getTime() / 1_000),
      rawBody: bytes.toString('base64'),
      headers: textsOf(Object.entries(headers).filter(([name]) => !droppedHeaders.has(name))),
      query: textsOf(Object.entries(query).filter(([name]) => !droppedQuery.has(name))),
      pathSuffix,
      remoteIp,
      verified: grade,
    };
    const row: OutboxRow = {
      id: stored.id,
      subject: providerNotificationSubject(provider),
      payload: JSON.stringify(stored),
      trace: JSON.stringify(currentTrace()),
    };
    const digest = createHash('sha256').update(bytes).digest();
    await this.#database.query(
      keepStatement,
      [
        ...[...outboxRowParameters(row), provider, receivedAt, bytes, digest],
        ...[JSON.stringify(stored.headers), JSON.stringify(stored.query), JSON.stringify(pathSuffix), remoteIp, grade],
      ],
      'notification-keep',
    );
    this.#sinceCounted.set(provider, (this.#sinceCounted.get(provider) ?? 0) + 1);
    if (this.#isAtRest) this.#counting.wake();
    outboxCommitted(this.#database, [row]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  #unreadOf(provider: string): number {
    return (this.#unread.get(provider) ?? 0) + (this.#sinceCounted.get(provider) ?? 0);
  }

  /** What the outbox still has is not read by everybody; replicas share it. */
  async #count(): Promise<number> {
    this.#isAtRest = false;
    // Until the count is there, what it counts is still known from before: no more pass the limit in the meantime.
    this.#unread = new Map(
      [...this.#sinceCounted.keys(), ...this.#unread.keys()].map((known) => [known, this.#unreadOf(known)]),
    );
    this.#sinceCounted = new Map();
    const rows = await this.#database.query<{ provider: string; count: number }>(
      `select split_part(subject, '.', 2) as provider, count(*)::bigint as count from outbox
       where subject like 'provider.%' group by provider`,
    );
    this.#unread = new Map(rows.map(({ provider, count }) => [provider, count]));
    this.#isAtRest = this.#unread.size === 0 && this.#sinceCounted.size === 0;
    return this.#isAtRest ? countAtRestIntervalMs : countIntervalMs;
  }

  async #dropOldBytes(): Promise<boolean> {
    const dropped = await this.#database.query(
      `update notification set raw_body = null, headers = null, query = null
       where id in (select id from notification
         where raw_body is not null and received_at < now() - make_interval(days => $1) limit $2)
       returning id`,
      [bytesKeptDays, tidiedPerRound],
    );
    return dropped.length === tidiedPerRound;
  }
}

const keepStatement = `
  with kept as (
    insert into notification
      (id, provider, received_at, raw_body, digest, headers, query, path_suffix, remote_ip, grade)
    values ($1, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  )
  ${insertOutboxRow(1)}`;

type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;

function textsOf(entries: readonly (readonly [string, Texts[string]])[]): Record<string, string | string[]> {
  const present = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]] as const],
  );
  return Object.fromEntries(present);
}
