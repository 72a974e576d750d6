import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Realm } from '@gateway/contracts/identity';

const names = { operator: 'ops', merchant: 'console' } as const satisfies Record<Realm, string>;

/** As long as identity keeps what an issuer was asked. */
const issuerCookieSec = 600;

interface Cookie {
  readonly name: string;
  readonly sameSite: 'Strict' | 'Lax';
  /** Null: until the browser is closed. */
  readonly maxAgeSec: number | null;
}

/** The cookie with the token of a session: no other site makes a browser send it. */
export function sessionCookie(realm: Realm, origin: string): TokenCookie {
  return new TokenCookie({ name: names[realm], sameSite: 'Strict', maxAgeSec: null }, origin);
}

/**
 * The cookie that ties the answer of an issuer to the browser that was sent there. The issuer sends the browser back from
 * another site, which takes `Lax`; what it holds is good for one answer, and is no session.
 */
export function issuerCookie(realm: Realm, origin: string): TokenCookie {
  return new TokenCookie({ name: `${names[realm]}-issuer`, sameSite: 'Lax', maxAgeSec: issuerCookieSec }, origin);
}

/**
 * A cookie with a token (RFC 6265bis). `__Host-` binds it to this origin, over TLS and with no domain. On a developer's plain
 * http://localhost neither `Secure` nor the prefix is possible; since cookies ignore ports, the port is in the name.
 */
export class TokenCookie {
  readonly #name: string;
  readonly #attributes: string;
  readonly #lasts: string;

  constructor({ name, sameSite, maxAgeSec }: Cookie, origin: string) {
    const { protocol, port } = new URL(origin);
    const isSecure = protocol === 'https:';
    this.#name = isSecure ? `__Host-${name}` : `${name}-${port || '80'}`;
    this.#attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
    this.#lasts = maxAgeSec === null ? '' : `Max-Age=${maxAgeSec}; `;
  }

  /** The token of a request; of two cookies with the name, none. */
  read({ headers }: FastifyRequest): string | undefined {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const own = pairs.filter((pair) => pair.startsWith(`${this.#name}=`));
    const [pair] = own;
    return own.length === 1 ? pair?.slice(this.#name.length + 1) : undefined;
  }

  set(reply: FastifyReply, token: string): void {
    void reply.header('set-cookie', `${this.#name}=${token}; ${this.#lasts}${this.#attributes}`);
  }

  clear(reply: FastifyReply): void {
    void reply.header('set-cookie', `${this.#name}=; Max-Age=0; ${this.#attributes}`);
  }
}
