import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '@gateway/contracts/errors';
import type { Client, Realm, Session } from '@gateway/contracts/identity';
import type { OpenLimits } from '#src/limits/open-limits.ts';
import { issuerCookie, sessionCookie, type TokenCookie } from '#src/sessions/session-cookie.ts';
import type { SessionDirectory } from '#src/sessions/session-directory.ts';

const userAgentCharactersMax = 500;
const tokenForm = /^[\w-]{43}$/;

/** Who is in a request, and where its answer puts another token. */
export interface SessionInUse {
  readonly session: Session;
  readonly keepToken: (token: string) => void;
  /** The session as it is later, which that keeps no longer alive. @throws DomainError SESSION_ENDED */
  readonly again: () => Promise<Session>;
}

export interface SessionGuardOptions {
  readonly realm: Realm;
  /** The console's origin, from which alone its requests come. */
  readonly origin: string;
  readonly directory: SessionDirectory;
  readonly open: OpenLimits;
}

/** Admits requests of a console by its cookie. */
export class SessionGuard {
  readonly realm: Realm;
  readonly cookie: TokenCookie;
  /** Of a sign-in that is under way at an issuer. */
  readonly issuerCookie: TokenCookie;
  readonly #origin: string;
  readonly #directory: SessionDirectory;
  readonly #open: OpenLimits;

  constructor({ realm, origin, directory, open }: SessionGuardOptions) {
    this.realm = realm;
    this.cookie = sessionCookie(realm, origin);
    this.issuerCookie = issuerCookie(realm, origin);
    this.#origin = origin;
    this.#directory = directory;
    this.#open = open;
  }

  /**
   * The session of a request; undefined without its cookie.
   *
   * @throws DomainError SESSION_ENDED; RATE_LIMITED when the address has sent too many that are none; PERMISSION_DENIED for a
   *   change that another site may have sent
   */
  async identify(request: FastifyRequest, reply: FastifyReply): Promise<SessionInUse | undefined> {
    const token = this.cookie.read(request);
    if (token === undefined) return undefined;
    this.requireOwnPage(request);
    const { session, rotatedToken } = await this.#resolve(request, token);
    const keepToken = (next: string) => this.cookie.set(reply, next);
    if (rotatedToken !== null) keepToken(rotatedToken);
    const again = async () => (await this.#directory.resolve(this.realm, token, false)).session;
    return { session, keepToken, again };
  }

  /**
   * A change comes from a page of the console's own origin: forms and scripts of other sites can neither send the header
   * `X-Console` nor JSON without being asked by the browser first, and this API answers no such question (no CORS). A form
   * with a file is a form that other sites can send too: the header and the origin keep them out.
   *
   * @throws DomainError PERMISSION_DENIED
   */
  requireOwnPage({ method, headers }: FastifyRequest): void {
    if (method === 'GET' || method === 'HEAD') return;
    const { origin, 'sec-fetch-site': site, 'x-console': console } = headers;
    const isNoForm = /^(application\/(json|octet-stream)|multipart\/form-data)\b/i.test(headers['content-type'] ?? '');
    const isOwn = origin === this.#origin && site === 'same-origin' && console === '1';
    if (isOwn && isNoForm) return;
    throw new DomainError('PERMISSION_DENIED', 'a change by a session comes as JSON from a page of the console itself');
  }

  async #resolve(request: FastifyRequest, token: string) {
    const { ip } = request;
    try {
      if (!tokenForm.test(token)) throw new DomainError('SESSION_ENDED', 'the session has ended');
      return await this.#directory.resolve(this.realm, token, !isBackground(request));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'SESSION_ENDED') await this.#open.spend('operatorTokens', ip);
      throw error;
    }
  }
}

/** Whether the page made it by itself. A stream is opened by pages, again and again, whatever they say. */
function isBackground({ headers, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return headers['x-background'] !== undefined || url.endsWith('/stream');
}

/** Whence a request of a browser came. */
export function clientOf({ ip, headers }: FastifyRequest): Client {
  return { address: ip, userAgent: (headers['user-agent'] ?? '').slice(0, userAgentCharactersMax) };
}
