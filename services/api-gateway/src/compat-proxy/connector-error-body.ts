import type { DomainError } from '@gateway/contracts/errors';
import { errorBody, type ErrorBodyOf } from '@gateway/runtime/http';

/** The connector's envelope of a refusal (api.md 4). */
export function connectorErrorBody(refusal: DomainError): object {
  return { success: false, data: null, errors: [refusal.message] };
}

/** Whoever asks below a connector's prefix is told in its envelope, everybody else in the native shape. */
export function publicErrorBody(connectorPrefixes: readonly string[]): ErrorBodyOf {
  return (refusal, requestId, target) => {
    const [path = ''] = target.split('?', 1);
    const speaksConnector = connectorPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    return speaksConnector ? connectorErrorBody(refusal) : errorBody(refusal, requestId);
  };
}
