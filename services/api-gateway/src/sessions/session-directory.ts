import { hash } from 'node:crypto';
import {
  peopleChangedSchema,
  peopleChangedSignal,
  type Realm,
  resolveSession,
  type Session,
  sessionsRevokedSchema,
  sessionsRevokedSignal,
} from '@gateway/contracts/identity';
import { type Bus, callRpc } from '@gateway/messaging';
import type { Logger } from '@gateway/runtime';

/** A session that was ended is refused everywhere after it, though a signal be lost. */
const rememberMs = 1_000;
const askMs = 2_000;
/** What is remembered beyond it is forgotten at once; a thousand people with ten requests under way are fewer. */
const rememberedMax = 10_000;

interface Remembered {
  readonly session: Session;
  /** Whether identity has noted a request of the person with it. */
  readonly active: boolean;
  /** Of the monotonic clock, before identity was asked. */
  readonly sinceMs: number;
}

export interface ResolvedSession {
  readonly session: Session;
  /** For the cookie of this answer; null where the presented token stays. */
  readonly rotatedToken: string | null;
}

/**
 * Whose session is behind a token: from memory within the second in which that may be believed, else identity is asked. What
 * is remembered is dropped at once when identity says that sessions have ended or people have changed.
 */
export class SessionDirectory implements Disposable {
  readonly #bus: Bus;
  readonly #logger: Logger;
  readonly #known = new Map<string, Remembered>();
  readonly #ending = new DisposableStack();
  /** What was asked before a signal came is not remembered after it. */
  #signals = 0;

  constructor({ bus, logger }: { readonly bus: Bus; readonly logger: Logger }) {
    this.#bus = bus;
    this.#logger = logger;
    this.#listen(sessionsRevokedSignal, (data) => {
      const { ids } = sessionsRevokedSchema.parse(data);
      this.#forget(({ id }) => ids.includes(id));
    });
    this.#listen(peopleChangedSignal, (data) => {
      const { personId: changed } = peopleChangedSchema.parse(data);
      this.#forget(({ personId }) => personId === changed);
    });
  }

  /**
   * @param active whether the request was made by the person, and not by the page in the background
   * @throws DomainError SESSION_ENDED; SERVICE_UNAVAILABLE while identity does not answer
   */
  async resolve(realm: Realm, token: string, active: boolean): Promise<ResolvedSession> {
    const tokenDigest = hash('sha256', token);
    const key = `${realm} ${tokenDigest}`;
    const sinceMs = performance.now();
    const known = this.#known.get(key);
    if (known && sinceMs - known.sinceMs < rememberMs && (known.active || !active)) {
      return { session: known.session, rotatedToken: null };
    }
    const signals = this.#signals;
    const resolved = await callRpc(this.#bus.within(askMs), resolveSession, { realm, tokenDigest, active });
    if (this.#known.size >= rememberedMax) this.#known.clear();
    if (signals === this.#signals) this.#known.set(key, { session: resolved.session, active, sinceMs });
    return resolved;
  }

  [Symbol.dispose](): void {
    this.#ending.dispose();
  }

  #forget(isMeant: (session: Session) => boolean): void {
    this.#signals += 1;
    for (const [key, { session }] of this.#known) if (isMeant(session)) this.#known.delete(key);
  }

  #listen(subject: string, onSignal: (data: unknown) => void): void {
    const subscription = this.#bus.connection.subscribe(subject, {
      callback: (error, message) => {
        try {
          if (error) throw error;
          onSignal(message.json());
        } catch (cause) {
          this.#logger.warn({ err: cause, subject }, 'signal not understood');
        }
      },
    });
    this.#ending.defer(() => subscription.unsubscribe());
  }
}
