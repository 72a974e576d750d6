import {
  accountChangedSchema,
  accountsChangedSignal,
  keyChangedSchema,
  keyRevokedSchema,
  keysChangedSignal,
  keysRevokedSignal,
} from '@gateway/contracts/accounts';
import type { Bus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { type Logger, type Loop, startLoop } from '@gateway/runtime';
import { isPublicKey } from '#src/accounts/api-key.ts';
import { KnownKeys } from '#src/accounts/known-keys.ts';
import { type KnownKey, loadKey } from '#src/accounts/load-key.ts';

/** How often the database is asked what was revoked or changed, should a signal have been lost. */
const watchIntervalMs = 400;
/**
 * While no key was asked for since `restAfterMs`. Memory that was not confirmed within the last second is not believed,
 * so that the first request afterwards reads its key from the database; a shorter silence than that which empties memory.
 */
const watchAtRestIntervalMs = 20_000;
const restAfterMs = 5_000;
/** How far back each round looks: more than any transaction takes and clocks differ. */
const lookBackMs = 60_000;

const watchStatement = `
  select public_key, true as revoked, 0 as key_version, 0 as account_version
    from api_key where revoked_at > now() - $1 * interval '1 millisecond'
  union all
  select k.public_key, false, k.version, a.version from account a join api_key k on k.account_id = a.id
   where a.updated_at > now() - $1 * interval '1 millisecond' and a.version > 1
  union all
  select k.public_key, false, k.version, a.version from api_key k join account a on a.id = k.account_id
   where k.updated_at > now() - $1 * interval '1 millisecond' and k.version > 1`;

interface ChangedKey {
  readonly public_key: string;
  readonly revoked: boolean;
  readonly key_version: number;
  readonly account_version: number;
}

export interface CallerDirectoryOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly logger: Logger;
}

/**
 * Who is behind a public key, from memory where possible. What is remembered is forgotten at once on the signals of the
 * gateway that changed it; a lost signal is caught by asking the database, within the second that revocation may take.
 */
export class CallerDirectory implements AsyncDisposable {
  readonly #options: CallerDirectoryOptions;
  readonly #known = new KnownKeys();
  readonly #loading = new Map<string, Promise<KnownKey | undefined>>();
  readonly #ending = new AsyncDisposableStack();
  readonly #watching: Loop;
  #askedAtMs = -Infinity;
  #isAtRest = false;

  constructor(options: CallerDirectoryOptions) {
    this.#options = options;
    this.#listen(keysRevokedSignal, (data) => this.#forget(keyRevokedSchema.parse(data).publicKey));
    this.#listen(keysChangedSignal, (data) => this.#forget(keyChangedSchema.parse(data).publicKey));
    this.#listen(accountsChangedSignal, (data) => this.#forgetAccount(accountChangedSchema.parse(data).accountId));
    this.#watching = startLoop({
      name: 'watch keys',
      intervalMs: watchIntervalMs,
      logger: options.logger,
      work: () => this.#watch(),
    });
    this.#ending.use(this.#watching);
  }

  /** The key, if it is in memory and known to be in force. */
  remembered(publicKey: string): KnownKey | undefined {
    const now = performance.now();
    this.#noteAsked(now);
    return this.#known.get(publicKey, now);
  }

  /** The key, if it is in force. */
  async find(publicKey: string): Promise<KnownKey | undefined> {
    if (!isPublicKey(publicKey)) return undefined;
    const now = performance.now();
    this.#noteAsked(now);
    if (this.#known.isMissing(publicKey, now)) return undefined;
    return this.#known.get(publicKey, now) ?? (await this.#load(publicKey));
  }

  /** Whether the key has been in force here and is not known to be revoked; from memory alone. */
  knows(publicKey: string): boolean {
    return this.#known.has(publicKey);
  }

  /** To be called once a revocation is committed. */
  announceRevoked(publicKey: string): void {
    this.#forget(publicKey);
    this.#signal(keysRevokedSignal, { publicKey });
  }

  /** To be called once a key's allowlist is committed. */
  announceKeyChanged(publicKey: string): void {
    this.#forget(publicKey);
    this.#signal(keysChangedSignal, { publicKey });
  }

  /** To be called once new settings are committed. */
  announceAccountChanged(accountId: string): void {
    this.#forgetAccount(accountId);
    this.#signal(accountsChangedSignal, { accountId });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ending.disposeAsync();
  }

  /** Requests that arrive together share one query. A result that was overtaken by a change is not remembered. */
  async #load(publicKey: string): Promise<KnownKey | undefined> {
    const underWay = this.#loading.get(publicKey);
    if (underWay) return await underWay;
    const startedAt = performance.now();
    const loading = loadKey(this.#options.database, publicKey);
    this.#loading.set(publicKey, loading);
    try {
      const key = await loading;
      if (this.#loading.get(publicKey) !== loading) return key;
      if (key) this.#known.add(key, startedAt);
      else this.#known.addMissing(publicKey, startedAt);
      return key;
    } finally {
      if (this.#loading.get(publicKey) === loading) this.#loading.delete(publicKey);
    }
  }

  #noteAsked(now: number): void {
    this.#askedAtMs = now;
    if (!this.#isAtRest) return;
    this.#isAtRest = false;
    this.#watching.wake();
  }

  async #watch(): Promise<number> {
    const startedAt = performance.now();
    const changed = await this.#options.database.query<ChangedKey>(watchStatement, [lookBackMs], 'watch-keys');
    for (const {
      public_key: publicKey,
      revoked,
      key_version: keyVersion,
      account_version: accountVersion,
    } of changed) {
      if (revoked || this.#known.isOlder(publicKey, { keyVersion, accountVersion })) this.#forget(publicKey);
    }
    this.#known.confirm(startedAt);
    this.#isAtRest = performance.now() - this.#askedAtMs > restAfterMs;
    return this.#isAtRest ? watchAtRestIntervalMs : watchIntervalMs;
  }

  #forget(publicKey: string): void {
    this.#known.delete(publicKey);
    this.#loading.delete(publicKey);
  }

  #forgetAccount(accountId: string): void {
    this.#known.deleteAccount(accountId);
    this.#loading.clear();
  }

  #listen(subject: string, onSignal: (data: unknown) => void): void {
    const { bus, logger } = this.#options;
    const subscription = bus.connection.subscribe(subject, {
      callback: (error, message) => {
        try {
          if (error) throw error;
          onSignal(message.json());
        } catch (cause) {
          logger.warn({ err: cause, subject }, 'signal not understood');
        }
      },
    });
    this.#ending.defer(() => subscription.unsubscribe());
  }

  /** A hint: when it cannot be sent, the others find out by watching. */
  #signal(subject: string, data: object): void {
    try {
      this.#options.bus.connection.publish(subject, JSON.stringify(data));
    } catch (error) {
      this.#options.logger.warn({ err: error, subject }, 'signal not sent');
    }
  }
}
