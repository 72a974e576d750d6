import type { FetchLike } from '@gateway/sdk';
import { UsageError } from '../faults/errors.ts';
import type { Variables } from '../settings/folders.ts';
import { isChange } from './live-guard.ts';
import { keepCall, type LoggedCall } from './request-log.ts';

interface Watch {
  readonly environment: 'test' | 'live';
  /** `--live` was given. */
  readonly mayChange: boolean;
  readonly variables: Variables;
  /** Sees each call as it stands in the log. */
  readonly onCall?: ((call: LoggedCall) => void) | undefined;
}

/**
 * The platform's `fetch`, of which each call stands in the log afterwards. A change with a live key ends here, whatever
 * command asks for it, unless it was permitted.
 */
export function watchedFetch({ environment, mayChange, variables, onCall }: Watch): FetchLike {
  return async (url, init) => {
    if (environment === 'live' && isChange(init.method) && !mayChange)
      throw new UsageError('the key is live: nothing was sent');
    const startedAt = Date.now();
    const call = { at: new Date(startedAt).toISOString(), method: init.method, path: new URL(url).pathname };
    const keep = (status: number | null, request_id: string | null) => {
      const logged = { ...call, status, ms: Date.now() - startedAt, request_id };
      keepCall(variables, logged);
      onCall?.(logged);
    };
    try {
      const response = await fetch(url, init as unknown as RequestInit);
      keep(response.status, response.headers.get('x-request-id'));
      return response;
    } catch (error) {
      keep(null, null);
      throw error;
    }
  };
}
