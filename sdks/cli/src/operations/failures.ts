import { ApiError, ConnectionError, TimeoutError, UnknownOutcome } from '@gateway/sdk';
import { isChange, type Change } from '../calls/live-guard.ts';
import { LostChangeError, NoConnectionError } from '../faults/errors.ts';

/**
 * What an error of a call means for the person who made it: with the address that was tried, and with what to do where the
 * outcome is not known.
 */
export function explained(error: unknown, { method, path }: Change, baseUrl: string, externalId?: string): unknown {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    const mayHaveHappened = isChange(method) && (error instanceof TimeoutError || error.sent);
    if (!mayHaveHappened)
      return new NoConnectionError(`no connection to ${baseUrl}: ${error.message}`, { cause: error });
    const next =
      externalId === undefined
        ? 'read the record before anything else'
        : `the same call with --external-id ${externalId} makes no second one`;
    return new LostChangeError(`${method} ${path} may have been carried out: no answer came. ${next}.`, {
      cause: error,
    });
  }
  return error;
}

/** Further lines below the message of an error. */
export function hintsOf(error: unknown): readonly string[] {
  if (error instanceof UnknownOutcome) {
    const { payoutId, conversionId } = error;
    if (payoutId !== undefined) return [`the payout decides: gateway payouts get ${payoutId}`];
    if (conversionId !== undefined) return [`the conversion decides: gateway conversions get ${conversionId}`];
  }
  if (error instanceof ApiError && error.status === 401)
    return ['`gateway whoami` names the key, `gateway login` another'];
  if (error instanceof ApiError && error.retryAfterSec !== undefined) return [`try again in ${error.retryAfterSec} s`];
  return [];
}
