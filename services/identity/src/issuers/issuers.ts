import * as oidc from 'openid-client';
import type { Realm } from '@gateway/contracts/identity';
import type { IssuerSettings, IssuersOfRealms } from '#src/config.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { IssuerUnavailableError } from '#src/errors.ts';
import { faultOfIssuer } from '#src/issuers/issuer-faults.ts';
import type { IssuerRequest } from '#src/issuers/issuer-requests.ts';

/** Discovery, keys and token together stay below what the gateway waits for. */
const requestTimeoutSec = 3;
/** An issuer that has moved its endpoints is found again without a restart. */
const discoveredForMs = 600_000;
/** Authentication Method Reference Values (RFC 8176, 2): more than one factor was used. */
const multiFactorMethod = 'mfa';

/** What the operations work with that ask an issuer. */
export interface WithIssuers extends Dependencies {
  readonly issuers: Issuers;
}

/** Who the issuer says it is. */
export interface Named {
  /** The issuer's identifier: subjects of two issuers are two people (OpenID Connect Core 1.0, 5.7). */
  readonly issuer: string;
  readonly subject: string;
  /** Whether the issuer states that it used more than one factor. */
  readonly isMultiFactor: boolean;
}

interface Discovered {
  readonly configuration: oidc.Configuration;
  readonly untilMs: number;
}

/** The issuer of each realm that has one, spoken to by OpenID Connect: code, PKCE (RFC 7636) and nonce. */
export class Issuers {
  readonly #settings: IssuersOfRealms;
  readonly #discovered = new Map<Realm, Discovered>();

  constructor(settings: IssuersOfRealms) {
    this.#settings = settings;
  }

  settingsOf(realm: Realm): IssuerSettings | null {
    return this.#settings[realm];
  }

  /**
   * Where a browser goes to be asked who it is. Nothing is asked for but the subject: no e-mail, no profile.
   * @throws IssuerUnavailableError SERVICE_UNAVAILABLE
   */
  async addressFor(settings: IssuerSettings, realm: Realm, request: IssuerRequest): Promise<string> {
    const configuration = await this.#configurationOf(settings, realm).catch((error: unknown) => {
      throw unavailable(settings, error);
    });
    const { state, nonce, codeVerifier } = request;
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: settings.redirectUrl,
      scope: 'openid',
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...(settings.acrValues.length > 0 ? { acr_values: settings.acrValues.join(' ') } : {}),
    });
    return url.href;
  }

  /**
   * Redeems the code of an answer (its issuer is named beside it, RFC 9207) and verifies the token that comes for it: issuer,
   * audience, nonce, time and signature. A text is why it is no answer to the request.
   *
   * @param answer the parameters of the redirect, as they came
   * @throws IssuerUnavailableError SERVICE_UNAVAILABLE
   */
  async namedIn(
    settings: IssuerSettings,
    realm: Realm,
    request: IssuerRequest,
    answer: string,
  ): Promise<Named | string> {
    const { state, nonce, codeVerifier } = request;
    const landed = new URL(settings.redirectUrl);
    landed.search = answer;
    try {
      const configuration = await this.#configurationOf(settings, realm);
      const tokens = await oidc.authorizationCodeGrant(configuration, landed, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true },
      });
      const claims = tokens.claims();
      if (!claims) return 'no_id_token';
      return {
        issuer: claims.iss,
        subject: claims.sub,
        isMultiFactor: isMultiFactor(settings, claims['amr'], claims['acr']),
      };
    } catch (error) {
      const fault = faultOfIssuer(error);
      if (fault.isRefusal) return fault.detail;
      throw unavailable(settings, error);
    }
  }

  async #configurationOf({ url, clientId, clientSecret }: IssuerSettings, realm: Realm): Promise<oidc.Configuration> {
    const nowMs = performance.now();
    const known = this.#discovered.get(realm);
    if (known && known.untilMs > nowMs) return known.configuration;
    const issuer = new URL(url);
    const configuration = await oidc.discovery(issuer, clientId, undefined, secretAsSupported(clientSecret), {
      timeout: requestTimeoutSec,
      // The token's signature is verified besides its way over TLS.
      execute: [oidc.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [withoutTls] : [])],
    });
    this.#discovered.set(realm, { configuration, untilMs: nowMs + discoveredForMs });
    return configuration;
  }
}

/** For an issuer on this machine; the configuration takes no other one without TLS. */
// oxlint-disable-next-line typescript/no-deprecated -- deprecated so that it is noticed, and not to be removed
const withoutTls = oidc.allowInsecureRequests;

/** In the header unless the issuer takes it in the body alone (OpenID Connect Core 1.0, 9). */
function secretAsSupported(secret: string): oidc.ClientAuth {
  const [inHeader, inBody] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const chosen = methods.includes('client_secret_basic') ? inHeader : inBody;
    return chosen(server, client, body, headers);
  };
}

function isMultiFactor({ acrValues }: IssuerSettings, amr: unknown, acr: unknown): boolean {
  if (Array.isArray(amr) && amr.includes(multiFactorMethod)) return true;
  return typeof acr === 'string' && acrValues.includes(acr);
}

function unavailable({ name }: IssuerSettings, error: unknown): IssuerUnavailableError {
  return new IssuerUnavailableError(name, faultOfIssuer(error).detail, error);
}
