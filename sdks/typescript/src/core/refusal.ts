import { errorClasses } from '../generated/errors.ts';
import { ApiError, type ErrorDetail, type RefusedAnswer } from '../errors/errors.ts';
import type { ResponseLike } from './platform.ts';
import { redacted } from './redact.ts';
import { retryAfterOf } from './retry.ts';

/** The error of an answer beyond 2xx: of the class of its code, or an `ApiError` for a code that is newer than this package. */
export function refusalOf(
  response: ResponseLike,
  bytes: Uint8Array | undefined,
  attempts: number,
  secrets: readonly string[],
): ApiError {
  const text = redacted(new TextDecoder().decode(bytes), secrets);
  const { code, message, details, request_id: requestId, ...others } = errorMembersOf(text);
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => (headers[name.toLowerCase()] = redacted(value, secrets)));
  const answer: RefusedAnswer = {
    status: response.status,
    code: typeof code === 'string' ? code : `HTTP_${response.status}`,
    message: typeof message === 'string' ? message : 'the answer is not one of the gateway',
    details: detailsOf(details),
    requestId: typeof requestId === 'string' ? requestId : headers['x-request-id'],
    headers,
    attempts,
    retryAfterSec: retryAfterOf(headers['retry-after'] ?? null),
    ids: Object.fromEntries(Object.entries(others).filter((entry): entry is [string, string] => isText(entry[1]))),
  };
  const known: Readonly<Record<string, new (of: RefusedAnswer) => ApiError>> = errorClasses;
  const Class = Object.hasOwn(known, answer.code) ? known[answer.code] : undefined;
  return new (Class ?? ApiError)(answer);
}

function errorMembersOf(text: string): Readonly<Record<string, unknown>> {
  const parsed = parsedOrUndefined(text);
  const error = isRecord(parsed) ? parsed['error'] : undefined;
  return isRecord(error) ? error : {};
}

function detailsOf(details: unknown): ErrorDetail[] {
  if (!Array.isArray(details)) return [];
  return details.filter(isRecord).map(({ path, message }) => ({ path: asText(path), message: asText(message) }));
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
