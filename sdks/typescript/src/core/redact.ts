const hidden = '[secret]';

/** The secret in any form in which an error of a network library may show it. */
function formsOf(secret: string): string[] {
  return secret === '' ? [] : [secret, encodeURIComponent(secret)];
}

/** A text without the secrets. */
export function redacted(text: string, secrets: readonly string[]): string {
  return secrets.flatMap(formsOf).reduce((shown, secret) => shown.replaceAll(secret, hidden), text);
}

/**
 * What is kept of an error of `fetch`: name, message and code, without secrets. A library's own error object may hold the
 * request with its headers.
 */
export function harmlessCause(error: unknown, secrets: readonly string[]): Error {
  const { name, message, code } = (
    typeof error === 'object' && error !== null ? error : { message: String(error) }
  ) as {
    readonly name?: unknown;
    readonly message?: unknown;
    readonly code?: unknown;
  };
  const inner = (error as { readonly cause?: unknown } | undefined)?.cause;
  const options = inner === undefined || inner === error ? undefined : { cause: harmlessCause(inner, secrets) };
  const cause = new Error(redacted(typeof message === 'string' ? message : 'unknown', secrets), options);
  delete cause.stack;
  cause.name = typeof name === 'string' ? name : 'Error';
  return typeof code === 'string' ? Object.assign(cause, { code }) : cause;
}
