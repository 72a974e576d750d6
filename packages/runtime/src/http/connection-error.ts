import { DomainError } from '@gateway/contracts/errors';
import { causesOf } from '#src/telemetry/causes-of.ts';

/** SQLSTATE classes and codes that say "the server is not there", not "the statement is wrong". */
const unavailableStates = /^(08|57P0|53300)/;
const unavailableCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/** Of a kernel socket that is not there, or has no place in its queue. A file that is missing is no connection. */
const unavailableSockets = new Set(['ENOENT', 'EAGAIN']);
const unavailableMessages =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i;

/** True for failures of the connection rather than of the statement; the work may be tried again. */
export function isConnectionError(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const code = typeof cause.code === 'string' ? cause.code : '';
    if (unavailableStates.test(code) || unavailableCodes.has(code) || unavailableMessages.test(cause.message))
      return true;
    if (unavailableSockets.has(code) && 'syscall' in cause && cause.syscall === 'connect') return true;
  }
  return false;
}

/** The answer to callers while the database cannot be reached. */
export function databaseUnavailable(cause: unknown): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'the service cannot reach its database', { retryAfterSec: 1, cause });
}
