import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';

/** Why nothing came of a question to an issuer. */
interface IssuerFault {
  /** For the history. */
  readonly detail: string;
  /** The answer is none to the request; otherwise the issuer, or the way to it, does not work. */
  readonly isRefusal: boolean;
}

/** The issuer works and refuses (RFC 6749, 4.1.2.1): these two it answers when it does not. */
const failingAuthorization: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

/** Of `openid-client`: no answer within the time, or one that is none of the protocol. */
const failingCodes: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
]);

const detailMax = 80;

export function faultOfIssuer(error: unknown): IssuerFault {
  if (error instanceof AuthorizationResponseError) {
    return { detail: shown('issuer', error.error), isRefusal: !failingAuthorization.has(error.error) };
  }
  // Every other error of the token endpoint is about the client, which the deployment has configured.
  if (error instanceof ResponseBodyError) {
    return { detail: shown('token', error.error), isRefusal: error.error === 'invalid_grant' };
  }
  if (error instanceof ClientError) {
    const code = error.code ?? 'unknown';
    return { detail: shown('answer', code), isRefusal: !failingCodes.has(code) };
  }
  return { detail: 'unreachable', isRefusal: false };
}

function shown(what: string, text: string): string {
  return `${what}: ${text.slice(0, detailMax)}`;
}
