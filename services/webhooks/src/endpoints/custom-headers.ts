import { ValidationError } from '@gateway/contracts/errors';
import { maskedHeaderValue, type CustomHeaders } from '@gateway/contracts/webhooks';
import type { SecretBox } from '@gateway/runtime';

export interface SealedHeaders {
  readonly headerNames: string[];
  /** Null without headers. */
  readonly sealedHeaders: string | null;
}

/** The values may be credentials, so they are kept as secrets are: sealed, for this endpoint alone. */
export function sealHeaders(headers: CustomHeaders, endpointId: string, secretBox: SecretBox): SealedHeaders {
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { headerNames, sealedHeaders: null };
  return { headerNames, sealedHeaders: secretBox.seal(JSON.stringify(headers), ownerOf(endpointId)) };
}

export function openHeaders(
  sealed: string | null | undefined,
  endpointId: string,
  secretBox: SecretBox,
): CustomHeaders | undefined {
  return sealed ? (JSON.parse(secretBox.open(sealed, ownerOf(endpointId))) as CustomHeaders) : undefined;
}

/**
 * Replaces the headers of an endpoint. The API shows masks instead of values; a mask that is written back keeps the
 * value there is.
 *
 * @throws ValidationError naming a header that is masked and did not exist before
 */
export function changeHeaders(
  endpoint: { readonly id: string; readonly sealedHeaders?: string | null },
  headers: CustomHeaders,
  secretBox: SecretBox,
): SealedHeaders {
  const before = Object.entries(openHeaders(endpoint.sealedHeaders, endpoint.id, secretBox) ?? {});
  const known = new Map(before.map(([name, value]) => [name.toLowerCase(), value]));
  const wanted = Object.entries(headers).map(([name, value]) => {
    if (value !== maskedHeaderValue) return [name, value] as const;
    const kept = known.get(name.toLowerCase());
    if (kept !== undefined) return [name, kept] as const;
    throw new ValidationError([{ path: `headers.${name}`, message: 'has no value that could be kept' }]);
  });
  return sealHeaders(Object.fromEntries(wanted), endpoint.id, secretBox);
}

/**
 * Header values are never shown again and may be credentials of one receiver. When the URL moves to another origin, the
 * merchant has to give them again, so that they are not sent to a receiver they were not meant for.
 *
 * @throws ValidationError naming each header that would be sent to another origin without its value given again
 */
export function requireValuesForOrigin(
  endpoint: { readonly url: string; readonly headerNames: readonly string[] },
  url: string | undefined,
  headers: CustomHeaders | undefined,
): void {
  if (url === undefined || new URL(url).origin === new URL(endpoint.url).origin) return;
  const given = headers ?? Object.fromEntries(endpoint.headerNames.map((name) => [name, maskedHeaderValue]));
  const unseen = Object.entries(given).filter(([, value]) => value === maskedHeaderValue);
  if (unseen.length === 0) return;
  const message = 'must be given with its value, since the URL has another origin';
  throw new ValidationError(unseen.map(([name]) => ({ path: `headers.${name}`, message })));
}

function ownerOf(endpointId: string): string {
  return `headers ${endpointId}`;
}
