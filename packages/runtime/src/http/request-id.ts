import type { IncomingMessage } from 'node:http';
import { newId } from '@gateway/money';

/** The caller's own id when it is fit to be logged and echoed, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newId('request');
}
