import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Realm } from '@gateway/contracts/identity';

const names = { operator: 'ops', merchant: 'console' } as const satisfies Record<Realm, string>;

/**
 * The cookie with the token of a session (RFC 6265bis). `__Host-` binds it to this origin, over TLS and with no domain. On
 * a developer's plain http://localhost neither `Secure` nor the prefix is possible; since cookies ignore ports, the port is in
 * the name.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor(realm: Realm, origin: string) {
    const { protocol, port } = new URL(origin);
    const isSecure = protocol === 'https:';
    this.#name = isSecure ? `__Host-${names[realm]}` : `${names[realm]}-${port || '80'}`;
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  /** The token of a request; of two cookies with the name, none. */
  read({ headers }: FastifyRequest): string | undefined {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const own = pairs.filter((pair) => pair.startsWith(`${this.#name}=`));
    const [pair] = own;
    return own.length === 1 ? pair?.slice(this.#name.length + 1) : undefined;
  }

  set(reply: FastifyReply, token: string): void {
    void reply.header('set-cookie', `${this.#name}=${token}; ${this.#attributes}`);
  }

  clear(reply: FastifyReply): void {
    void reply.header('set-cookie', `${this.#name}=; Max-Age=0; ${this.#attributes}`);
  }
}
