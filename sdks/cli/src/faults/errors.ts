import {
  ApiError,
  ConnectionError,
  ExternalIdReusedError,
  GatewayError,
  isGatewayError,
  SignatureError,
  TimeoutError,
  UnknownOutcome,
} from '@gateway/sdk';

/** How a command ends, for scripts. */
export const exitCodes = {
  done: 0,
  bug: 1,
  usage: 2,
  refused: 3,
  credentials: 4,
  notFound: 5,
  rateLimit: 6,
  gatewayFault: 7,
  unknownOutcome: 8,
  notAsExpected: 9,
  noConnection: 10,
  interrupted: 130,
} as const;

/** A command that cannot be carried out as it is typed or set up: nothing was sent. */
export class UsageError extends GatewayError {
  static {
    this.prototype.name = 'UsageError';
  }
}

/** A signature that is false, or an answer that is not the expected one. */
export class ExpectationError extends GatewayError {
  static {
    this.prototype.name = 'ExpectationError';
  }
}

/** The person ended it. */
export class InterruptedError extends GatewayError {
  static {
    this.prototype.name = 'InterruptedError';
  }
}

/** A change was sent and no answer came: it may have been carried out. */
export class LostChangeError extends GatewayError {
  static {
    this.prototype.name = 'LostChangeError';
  }
}

/** No connection, with the address that was tried. */
export class NoConnectionError extends GatewayError {
  static {
    this.prototype.name = 'NoConnectionError';
  }
}

/** The exit code of an error: `bug` for one that nothing here expects. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof InterruptedError) return exitCodes.interrupted;
  if (error instanceof SignatureError || error instanceof ExpectationError) return exitCodes.notAsExpected;
  if (error instanceof LostChangeError || error instanceof UnknownOutcome) return exitCodes.unknownOutcome;
  if (error instanceof ApiError) return exitCodeOfStatus(error.status);
  if (error instanceof ExternalIdReusedError) return exitCodes.refused;
  if (error instanceof NoConnectionError || error instanceof ConnectionError || error instanceof TimeoutError)
    return exitCodes.noConnection;
  return isGatewayError(error) ? exitCodes.usage : exitCodes.bug;
}

function exitCodeOfStatus(status: number): number {
  switch (status) {
    case 401:
    case 403:
      return exitCodes.credentials;
    case 404:
      return exitCodes.notFound;
    case 429:
      return exitCodes.rateLimit;
    case 504:
      return exitCodes.unknownOutcome;
    default:
      return status >= 500 ? exitCodes.gatewayFault : exitCodes.refused;
  }
}

/** What a row of the table asks for has been typed: parsing made sure of it. */
export function exactly<Count extends 1 | 2>(
  ids: readonly string[],
  count: Count,
): Count extends 1 ? readonly [string] : readonly [string, string] {
  if (ids.length < count) throw new UsageError('an id is missing');
  return ids as never;
}
