import type { FastifyRequest } from 'fastify';
import { DomainError } from '@gateway/contracts/errors';
import { AcceptedCredentials } from '#src/limits/accepted-credentials.ts';
import type { OpenLimits } from '#src/limits/open-limits.ts';

/** A key pair in JSON has some 150 bytes. */
const authenticateBytesMax = 2_048;
/**
 * Answers that show that the caller was not known, or that its credentials were not looked at. A 403 is the answer to one
 * that is known: its account is frozen.
 */
const refusedStatuses: ReadonlySet<number> = new Set([401, 404, 405, 413, 415]);

/**
 * Limits what strangers can make the connector service do. Its credentials, a token or the key pair in the body of
 * `authenticate`, are for that service to check; here it is remembered which were accepted, so that an address that was
 * refused too often still gets in with them.
 */
export class ConnectorGuard {
  readonly #open: OpenLimits;
  readonly #accepted = new AcceptedCredentials();

  constructor(open: OpenLimits) {
    this.#open = open;
  }

  /** @throws DomainError RATE_LIMITED from an address that was refused too often, PAYLOAD_TOO_LARGE */
  async beforeBody(request: FastifyRequest): Promise<void> {
    // The credentials of authenticate are in the body.
    if (!isAuthenticate(request)) {
      if (!this.#isKnown(request)) await this.#open.requireFewRefusals(request.ip);
      return;
    }
    if (Number(request.headers['content-length'] ?? 0) <= authenticateBytesMax) return;
    await this.#open.countRefusal(request.ip);
    throw new DomainError('PAYLOAD_TOO_LARGE', `the body must have at most ${authenticateBytesMax} bytes`);
  }

  /** Asks the service. @throws DomainError RATE_LIMITED, as above */
  async asking<T>(request: FastifyRequest, ask: () => Promise<T>): Promise<T> {
    return await (this.#isKnown(request) ? ask() : this.#open.look(request.ip, ask));
  }

  answered(request: FastifyRequest, status: number): void {
    const credential = credentialOf(request);
    const refused = refusedStatuses.has(status) || (status === 400 && isAuthenticate(request));
    if (refused) this.#open.noteRefusal(request.ip);
    if (credential === undefined) return;
    if (status === 401) this.#accepted.delete(credential);
    else if (status < 300) this.#accepted.add(credential);
  }

  /** Whom a call counts for: the bearer of its token, or its address while it has none that was accepted. */
  holderOf(request: FastifyRequest): string {
    const { authorization } = request.headers;
    return authorization !== undefined && this.#accepted.has(authorization) ? authorization : request.ip;
  }

  #isKnown(request: FastifyRequest): boolean {
    const credential = credentialOf(request);
    return credential !== undefined && this.#accepted.has(credential);
  }
}

function isAuthenticate({ url }: FastifyRequest): boolean {
  const [path = ''] = url.split('?', 1);
  return /\/client\/authenticate\/?$/.test(path);
}

function credentialOf(request: FastifyRequest): string | Buffer | undefined {
  if (!isAuthenticate(request)) return request.headers.authorization;
  return request.body instanceof Buffer ? request.body : undefined;
}
