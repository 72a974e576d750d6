import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const hopsMax = 8;

/** What the gateway is to it. */
export const issuerClient = { id: 'gateway', secret: 'a secret of the local issuer' } as const;

/** A value of `acr` that it states where a test has set it. */
export const acrOfTwoFactors = 'urn:example:two-factors';

/**
 * A real issuer of OpenID Connect on this machine. It asks nothing: who signs in, and how, is what the test has set. Where it
 * sends browsers back to is named before the first of them comes.
 */
export class LocalIssuer implements AsyncDisposable {
  readonly url: string;
  /** Who signs in next, and what the issuer states of it. */
  subject = '248289761001';
  amr: readonly string[] = ['pwd', 'otp', 'mfa'];
  acr: string | undefined;
  /** Claims that its tokens have in the place of the true ones; they are signed as all others. */
  forged: Readonly<Record<string, unknown>> = {};
  /** The key of another issuer, which its tokens are signed with in the place of its own. */
  strangeKey: KeyObject | undefined;
  readonly #server: Server;
  #redirectUrls: readonly string[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(): Promise<LocalIssuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LocalIssuer(server);
  }

  /** Answers from now on. */
  sendBackTo(...redirectUrls: readonly string[]): void {
    this.#redirectUrls = redirectUrls;
    const privateKey = newSigningKey();
    const provider = providerOf(this.url, redirectUrls, privateKey);
    provider.use(async (context, next) => {
      await next();
      const isForged = this.strangeKey !== undefined || Object.keys(this.forged).length > 0;
      if (!isForged || context.oidc?.route !== 'token' || !context.body?.id_token) return;
      const key = this.strangeKey ?? privateKey;
      context.body = { ...context.body, id_token: forgedToken(context.body.id_token, this.forged, key) };
    });
    const serve = provider.callback();
    this.#server.removeAllListeners('request');
    this.#server.on('request', (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return serve(request, response);
      const login = { accountId: this.subject, amr: this.amr, ...(this.acr === undefined ? {} : { acr: this.acr }) };
      void provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
    });
  }

  /** What a browser does that is sent there: the parameters with which it is sent back. */
  async visit(address: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = address;
    for (let hop = 0; hop < hopsMax; hop += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`the issuer answers ${answer.status}: ${await answer.text()}`);
      const landed = new URL(location, next);
      if (this.#redirectUrls.some((url) => landed.href.startsWith(url))) return landed.search.slice(1);
      next = landed.href;
    }
    throw new Error('the issuer sends the browser in circles');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

export function newSigningKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

/** The token with other claims, signed by RS256 (RFC 7515, 5.1). */
function forgedToken(token: string, forged: Readonly<Record<string, unknown>>, key: KeyObject): string {
  const [header = '', payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const signed = `${header}.${Buffer.from(JSON.stringify({ ...claims, ...forged })).toString('base64url')}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

function providerOf(url: string, redirectUrls: readonly string[], privateKey: KeyObject): Provider {
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' };
  return new Provider(url, {
    clients: [{ client_id: issuerClient.id, client_secret: issuerClient.secret, redirect_uris: redirectUrls }],
    jwks: { keys: [key] },
    cookies: { keys: ['a key of the local issuer'] },
    pkce: { required: () => true },
    acrValues: [acrOfTwoFactors],
    claims: { openid: ['sub', 'acr', 'amr'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    // Nothing is asked of the person but who it is, so there is nothing to consent to.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider } = oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
  });
}
