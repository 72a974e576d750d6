import type { SeenExchange } from '#src/http/provider-client.ts';

/** What an explanation refers to: the configuration's members, never their values. */
export interface Explained {
  readonly credentials: string;
  /** The permission that was needed, where the provider has a name for it. */
  readonly need?: string;
  readonly isTokenCall: boolean;
  readonly hasCertificate: boolean;
}

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const timedOut = new Set(['TimeoutError', 'AbortError', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);
const ended = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** What is wrong with a call and who can mend it; null where the provider answered as it should. */
export function explain(seen: SeenExchange, about: Explained): string | null {
  if (seen.status === undefined) return explainConnection(seen, about);
  const { credentials, need, isTokenCall } = about;
  const { status } = seen;
  if (isTokenCall && status >= 400 && status < 500 && status !== 429) {
    return `the provider answered ${status} to the request for a token: ${credentials} are wrong, inactive, or of the other environment (sandbox, production)`;
  }
  if (status === 401) return `the provider answered 401: ${credentials} wrong, inactive, or of the other environment`;
  if (status === 403) {
    const missing = need ?? 'this permission';
    return `the provider answered 403: the application lacks ${missing}, or the provider does not allow this address; ask it for both`;
  }
  if (status === 429) return 'the provider answered 429: too many calls; wait a minute and try again';
  if (status >= 500) return `the provider answered ${status}: it is failing; look at its status page and try again`;
  if (status >= 300 && status < 400) return `the provider answered ${status}, a redirect: baseUrl is not the API's`;
  return null;
}

function explainConnection({ origin, errorCode = '' }: SeenExchange, { hasCertificate }: Explained): string {
  if (errorCode === 'ENOTFOUND' || errorCode === 'EAI_AGAIN') {
    return `${origin} has no address (${errorCode}): check the host in the configuration, and the name server of this machine`;
  }
  if (errorCode === 'ECONNREFUSED')
    return `nothing listens at ${origin} (ECONNREFUSED): the provider is down, or the port is wrong`;
  if (errorCode === 'EHOSTUNREACH' || errorCode === 'ENETUNREACH') {
    return `${origin} cannot be reached (${errorCode}): this machine has no way out to it`;
  }
  if (timedOut.has(errorCode)) {
    return `no answer from ${origin} in time (${errorCode}): a firewall on the way, a provider that does not know this address, or callTimeoutMs is too short`;
  }
  if (untrusted.has(errorCode)) {
    return `the certificate of ${origin} is signed by an authority that is not trusted here (${errorCode}): set tls.authority to the provider's`;
  }
  if (errorCode === 'CERT_HAS_EXPIRED' || errorCode === 'CERT_NOT_YET_VALID') {
    return `the certificate of ${origin} is not in force (${errorCode}): the clock of this machine is wrong, or the provider's certificate is`;
  }
  if (errorCode === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${origin} shows the certificate of another host (${errorCode}): check the host in the configuration`;
  }
  if (errorCode.startsWith('ERR_SSL_') || errorCode === 'EPROTO' || ended.has(errorCode)) {
    return hasCertificate
      ? `${origin} ended the connection (${errorCode}): it does not accept the client certificate; it may be of the other environment, or revoked`
      : `${origin} ended the connection (${errorCode}): it may ask for a client certificate, and tls is not configured`;
  }
  return `no connection to ${origin} (${errorCode})`;
}
