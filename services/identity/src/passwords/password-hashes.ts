import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { DomainError } from '@gateway/contracts/errors';
import { equalDigests, gauge, histogram } from '@gateway/runtime';
import type { Dependencies } from '#src/dependencies.ts';

/** 19 MiB, two passes, one thread: the least OWASP's Password Storage Cheat Sheet recommends for Argon2id. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const nonceBytes = 16;
/** A hash takes a core for a tenth of a second and more: without a bound, guessing would be a way to stop the gateway. */
const atOnceMax = 2;
const waitingMax = 32;
const retryAfterSec = 2;

const hash = promisify(argon2);
const duration = histogram('gateway_password_hash_seconds', 'Time of one password hash, waiting included');

/** What operations work with that check or set a password. */
export interface WithPasswords extends Dependencies {
  readonly passwords: PasswordHashes;
}

/** Argon2id, as many at once as the machine can do beside its work. */
export class PasswordHashes implements Disposable {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #gauge = gauge(
    'gateway_password_hashes_waiting',
    'Passwords that wait to be checked',
    () => this.#waiting.length,
  );
  /** What is compared with where there is no password: its hash is of no known text. */
  readonly #none = encoded(randomBytes(nonceBytes), randomBytes(cost.tagLength));

  /** @throws DomainError SERVICE_UNAVAILABLE when too many wait */
  async make(password: string): Promise<string> {
    const nonce = randomBytes(nonceBytes);
    return encoded(nonce, await this.#hash(password, nonce));
  }

  /**
   * Takes as long for a person without a password, whose stored one is undefined.
   * @throws DomainError SERVICE_UNAVAILABLE when too many wait
   */
  async fits(password: string, stored: string | undefined): Promise<boolean> {
    const { nonce, tag } = decoded(stored ?? this.#none);
    const given = await this.#hash(password, nonce);
    return equalDigests(given, tag) && stored !== undefined;
  }

  [Symbol.dispose](): void {
    this.#gauge[Symbol.dispose]();
  }

  async #hash(password: string, nonce: Buffer): Promise<Buffer> {
    const started = performance.now();
    await this.#turn();
    try {
      return Buffer.from(await hash('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce, ...cost }));
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
      duration.record((performance.now() - started) / 1_000);
    }
  }

  async #turn(): Promise<void> {
    if (this.#running < atOnceMax) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= waitingMax) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'too many sign-ins at once', { retryAfterSec });
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** The PHC string format, so that the cost of each is known when it is raised. */
function encoded(nonce: Buffer, tag: Buffer): string {
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(nonce)}$${text(tag)}`;
}

function decoded(stored: string): { nonce: Buffer; tag: Buffer } {
  const [, , , , nonce = '', tag = ''] = stored.split('$');
  return { nonce: Buffer.from(nonce, 'base64'), tag: Buffer.from(tag, 'base64') };
}
